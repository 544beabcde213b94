import { type Settings } from '../common/config/settings.js';
import { isApi } from '../common/config/upstream-kind.js';
import { proxyFor } from '../common/network/proxy/outbound-proxy.js';

/** What the start has found out, beside the settings. */
export interface StartFindings {
  /** Whether requests need a key. */
  readonly needsKey: boolean;
  /** Whether somebody may operate the gateway. */
  readonly isOperable: boolean;
  /** Why the upstream does not answer; missing where it does, or where nobody has asked. */
  readonly upstreamSilence?: string | undefined;
}

/** The greeting as a line of a process log in JSON, whose readers take no other text: its fields and its message. */
export function greetingRecord(
  settings: Settings,
  port: number,
  { upstreamSilence }: StartFindings,
): readonly [fields: object, message: string] {
  const origin = originOf(settings, port);
  const proxy = upstreamProxy(settings);
  const fields = {
    event: 'listening',
    provider: settings.PROVIDER,
    dashboard: `${origin}/dashboard`,
    ...(proxy !== undefined && { proxy }),
    ...(upstreamSilence !== undefined && { upstreamSilence }),
  };
  return [fields, `listening, base URL ${origin}/v1`];
}

/** Text of `npm start`: the addresses of the gateway and its dashboard, and a curl command to try it, without the key. */
export function greeting(settings: Settings, port: number, findings: StartFindings): string {
  const origin = originOf(settings, port);
  const base = `${origin}/v1`;
  const { needsKey, isOperable, upstreamSilence } = findings;
  const proxy = upstreamProxy(settings);
  const key = settings.API_KEY === '' ? '<key>' : '$API_KEY';
  const authorization = needsKey ? ` -H "Authorization: Bearer ${key}"` : '';
  const [model = 'svc-max'] = Object.keys(settings.models ?? {});
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }], stream: false });
  return [
    '',
    `Chat Completion Gateway (provider: ${settings.PROVIDER})`,
    `  base URL  ${base}`,
    `  try it    curl ${base}/chat/completions${authorization} -H 'Content-Type: application/json' -d '${body}'`,
    isOperable
      ? `  dashboard ${origin}/dashboard, or try it there: ${origin}/dashboard/chat`
      : "  dashboard is closed to everybody: no key is an operator's. Set API_KEY.",
    ...(proxy === undefined ? [] : [`  upstream  is reached through the ${proxy}`]),
    ...(upstreamSilence === undefined ? [] : [`  upstream  does not answer. ${upstreamSilence}`]),
    '',
    '',
  ].join('\n');
}

/** An address that a browser on this machine can open. */
function originOf({ HOST }: Settings, port: number): string {
  const host = HOST.includes(':') ? `[${HOST}]` : HOST;
  return `http://${host === '0.0.0.0' || host === '[::]' ? 'localhost' : host}:${port}`;
}

/** The proxy between the gateway and its upstream, without its password. */
function upstreamProxy(settings: Settings): string | undefined {
  const { UPSTREAM_BASE_URL } = settings;
  return isApi(settings) && UPSTREAM_BASE_URL !== undefined
    ? proxyFor(new URL(UPSTREAM_BASE_URL), settings)?.label
    : undefined;
}
