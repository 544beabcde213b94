import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { curlNote, toCurl } from '../assets/data/curl.js';

const ENTRY = {
  method: 'POST',
  path: '/v1/chat/completions',
  model: 'svc-max',
  stream: true,
  content: {
    messages: [
      { role: 'user', content: `it's $HOME, "quoted" \\ and \`more\`\nnext line` },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'f', arguments: '{"a":1}' }] },
      { role: 'tool', content: 'r', toolCallId: 'c1' },
    ],
  },
};

/** Arguments of curl: a shell takes the line apart, with a function in the place of curl. */
function run(line) {
  const script = `curl() { printf '%s\\0' "$@"; case "$*" in *@-*) cat ;; esac; }\n${line}`;
  const output = execFileSync('sh', {
    input: script,
    env: { API_KEY: 'k', HOME: '/nowhere' },
  });
  const [, url, , authorization, , type, , , body] = output.toString().split('\0');
  return [url, authorization, type, body];
}

describe('toCurl', () => {
  it('sends one request whatever stands in the path', () => {
    const line = toCurl({ method: 'GET', path: '/v1/models/[1-300]{a,b}' }, 'http://127.0.0.1:1');
    expect(line).toContain("curl -gN 'http://127.0.0.1:1/v1/models/[1-300]{a,b}'");
  });

  it('sends what a refused request brought, at its own path, as it came', () => {
    const refused = {
      method: 'POST',
      path: '/v1/messages',
      operation: 'completion',
      sent: { text: `{"model": "it's", nope` },
    };
    const [url, , , body] = run(toCurl(refused, 'http://127.0.0.1:1'));
    expect([url, body]).toEqual(['http://127.0.0.1:1/v1/messages', refused.sent.text]);
    expect(curlNote(refused)).toBeUndefined();
    const cut = { ...refused, sent: { ...refused.sent, isCut: true, bytes: 99 } };
    expect(toCurl(cut, '')).toMatch(/^# Not as it was: first 22 characters of 99 bytes\n/);
    expect(curlNote(cut)).toBe('As curl: texts are cut as above.');
  });

  it('presses no keys in the terminal that it is pasted into', () => {
    const text = '{"it\'s": "\u0003\u001b[201~\r\t\u007f\u00011\\n\\0101"\ntouch owned\n';
    const line = toCurl(
      { method: 'POST', path: '/v1/messages', operation: 'completion', sent: { text } },
      '',
    );
    // eslint-disable-next-line no-control-regex -- these are what must not be there
    expect(line).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
    expect(run(line)[3]).toBe(text);
  });

  it('makes a shell command that sends the same conversation with the key of the environment', () => {
    const [url, authorization, type, body] = run(toCurl(ENTRY, 'http://127.0.0.1:1'));
    expect([url, authorization, type]).toEqual([
      'http://127.0.0.1:1/v1/chat/completions',
      'Authorization: Bearer k',
      'Content-Type: application/json',
    ]);
    expect(JSON.parse(body)).toEqual({
      model: 'svc-max',
      stream: true,
      messages: [
        ENTRY.content.messages[0],
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
        },
        { role: 'tool', content: 'r', tool_call_id: 'c1' },
      ],
    });
  });

  it('supports conversations above the length limit of an argument', () => {
    const content = 'é'.repeat(200_000);
    const [, , , body] = run(
      toCurl({ ...ENTRY, content: { messages: [{ role: 'user', content }] } }, 'http://h'),
    );
    expect(JSON.parse(body).messages[0].content).toBe(content);
  });

  it('repeats parameters and tools, and says what it cannot', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const parameters = { max_tokens: 9, temperature: 0, tool_choice: 'auto', parallel_tool_calls: true };
    const content = { ...ENTRY.content, toolNames: ['f'], texts: { tools, stop: ['x'] } };
    const whole = { ...ENTRY, parameters, content };
    expect(JSON.parse(run(toCurl(whole, 'http://h'))[3])).toMatchObject({
      ...parameters,
      tools,
      stop: ['x'],
    });
    expect(curlNote(whole)).toBeUndefined();
    const messages = [{ role: 'user', content: 'x', chars: 900 }];
    const part = { ...ENTRY, parameters, content: { messages, omittedMessages: 2, toolNames: ['f'] } };
    expect(JSON.parse(run(toCurl(part, 'http://h'))[3])).not.toHaveProperty('tool_choice');
    expect(curlNote(part)).toBe('As curl: texts are cut as above, 2 messages left out, without its tools.');
    expect(toCurl(part, 'http://h').split('\n').slice(0, 4)).toEqual([
      '# Not as it was: 2 messages left out',
      '# Not as it was: without its tools',
      '# Not as it was: message 1: first 1 of 900 characters',
      expect.stringContaining('printf %s '),
    ]);
    expect(toCurl(whole, 'http://h')).not.toContain('#');
    const other = { ...whole, operation: 'completion', path: '/v1/messages' };
    expect(run(toCurl(other, 'http://h'))[0]).toBe('http://h/v1/chat/completions');
    expect(curlNote(other)).toBe('As curl: as a chat completion instead of /v1/messages.');
  });

  it('says that pictures and files are missing', () => {
    const messages = [
      { role: 'user', content: '[image][file]', media: ['image', 'file'] },
      { role: 'user', content: '[image]', media: ['image'] },
    ];
    const shown = { ...ENTRY, content: { messages } };
    expect(curlNote(shown)).toBe('As curl: without its image and file.');
    expect(toCurl(shown, 'http://g')).toMatch(/^# Not as it was: without its image and file\n/);
  });

  it('sends no body for a request without one', () => {
    const [url, authorization, type] = run(toCurl({ method: 'GET', path: '/v1/models' }, 'http://h'));
    expect([url, authorization, type]).toEqual(['http://h/v1/models', 'Authorization: Bearer k', undefined]);
  });

  it('works for an entry without texts', () => {
    expect(toCurl({ method: 'POST', path: '/v1/chat/completions' }, 'http://h')).toContain(
      '(the log keeps no texts)',
    );
  });
});
