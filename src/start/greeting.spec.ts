import { describe, expect, it } from '@jest/globals';
import { Settings } from '../common/config/settings.js';
import { greeting, greetingRecord, type StartFindings } from './greeting.js';

const OPEN: StartFindings = { needsKey: false, isOperable: true };

function greetingOf(settings: Partial<Settings>, findings: Partial<StartFindings> = {}): string {
  return greeting(Object.assign(new Settings(), settings), 26405, { ...OPEN, ...findings });
}

describe('the greeting', () => {
  it('names the base URL, a line that works, and the dashboard', () => {
    expect(greetingOf({})).toBe(`
Chat Completion Gateway (provider: sandbox)
  base URL  http://127.0.0.1:26405/v1
  try it    curl http://127.0.0.1:26405/v1/chat/completions -H 'Content-Type: application/json' -d '{"model":"svc-max","messages":[{"role":"user","content":"Hello!"}],"stream":false}'
  dashboard http://127.0.0.1:26405/dashboard, or try it there: http://127.0.0.1:26405/dashboard/chat

`);
  });

  it('never shows the key', () => {
    const text = greetingOf({ API_KEY: 'secret-key' }, { needsKey: true });
    expect(text).not.toContain('secret-key');
    expect(text).toContain('-H "Authorization: Bearer $API_KEY"');
  });

  it('leaves room for a key where others than API_KEY are needed', () => {
    const text = greetingOf({}, { needsKey: true });
    expect(text).toContain('-H "Authorization: Bearer <key>"');
    expect(text).toContain('\n  dashboard http://127.0.0.1:26405/dashboard, or');
  });

  it('says that nobody can open the dashboard where all keys are those of callers', () => {
    const text = greetingOf({ API_KEYS: 'ann:secret' }, { needsKey: true, isOperable: false });
    expect(text).toContain("\n  dashboard is closed to everybody: no key is an operator's. Set API_KEY.\n");
    expect(text).not.toContain('/dashboard');
  });

  it('says that the upstream does not answer', () => {
    const text = greetingOf({ PROVIDER: 'openai' }, { upstreamSilence: 'Connection refused.' });
    expect(text).toContain('\n  upstream  does not answer. Connection refused.\n');
  });

  it('names the proxy on the way to the upstream, without its password', () => {
    const settings: Partial<Settings> = {
      PROVIDER: 'openai',
      UPSTREAM_BASE_URL: 'https://api.example/v1',
      HTTPS_PROXY: 'http://me:secret@proxy:3128',
    };
    expect(greetingOf(settings)).toContain(
      '\n  upstream  is reached through the proxy http://proxy:3128 (HTTPS_PROXY)\n',
    );
    expect(greetingOf({ ...settings, NO_PROXY: 'api.example' })).not.toContain('proxy');
  });

  it.each([
    ['0.0.0.0', 'http://localhost:26405/dashboard'],
    ['::', 'http://localhost:26405/dashboard'],
    ['::1', 'http://[::1]:26405/dashboard'],
    ['gateway.example', 'http://gateway.example:26405/dashboard'],
  ])('names an address that a browser can open for %s', (host, address) => {
    expect(greetingOf({ HOST: host })).toContain(address);
  });
});

describe('the greeting of a log in JSON', () => {
  it('says where the gateway is, how it reaches its upstream, and no secret', () => {
    const settings = Object.assign(new Settings(), {
      API_KEY: 'secret-key',
      PROVIDER: 'openai',
      UPSTREAM_BASE_URL: 'https://api.example/v1',
      HTTPS_PROXY: 'http://me:secret@proxy:3128',
    });
    expect(greetingRecord(settings, 26405, { ...OPEN, upstreamSilence: 'Connection refused.' })).toEqual([
      {
        event: 'listening',
        provider: 'openai',
        dashboard: 'http://127.0.0.1:26405/dashboard',
        proxy: 'proxy http://proxy:3128 (HTTPS_PROXY)',
        upstreamSilence: 'Connection refused.',
      },
      'listening, base URL http://127.0.0.1:26405/v1',
    ]);
  });
});
