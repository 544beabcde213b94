import { type Settings } from './common/config/settings.js';

/** Text of `npm start`: the addresses of the gateway and its dashboard, and a curl command to try it, without the key. */
export function greeting(settings: Settings, port: number): string {
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST;
  const origin = `http://${host === '0.0.0.0' || host === '[::]' ? 'localhost' : host}:${port}`;
  const base = `${origin}/v1`;
  const key = settings.API_KEY === '' ? '' : ` -H "Authorization: Bearer $API_KEY"`;
  const [model = 'svc-max'] = Object.keys(settings.models ?? {});
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }], stream: false });
  return [
    '',
    `Chat Completion Gateway (provider: ${settings.PROVIDER})`,
    `  base URL  ${base}`,
    `  try it    curl ${base}/chat/completions${key} -H 'Content-Type: application/json' -d '${body}'`,
    `  dashboard ${origin}/dashboard, or try it there: ${origin}/dashboard/chat`,
    '',
    '',
  ].join('\n');
}
