import { describe, expect, it } from '@jest/globals';
import { Settings } from './common/config/settings.js';
import { greeting } from './greeting.js';

function greetingOf(settings: Partial<Settings>): string {
  return greeting(Object.assign(new Settings(), settings), 26405);
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
    const text = greetingOf({ API_KEY: 'secret-key' });
    expect(text).not.toContain('secret-key');
    expect(text).toContain('-H "Authorization: Bearer $API_KEY"');
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
