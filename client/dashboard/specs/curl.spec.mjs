import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { toCurl } from '../assets/curl.js';

const ENTRY = {
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

describe('toCurl', () => {
  it('is a shell line that sends the same conversation with the key from the environment', () => {
    // A shell takes the line apart; a function in the place of curl prints what it was given.
    const script = `curl() { printf '%s\\0' "$@"; }\n${toCurl(ENTRY, 'http://127.0.0.1:1')}`;
    const output = execFileSync('sh', ['-c', script], { env: { API_KEY: 'k', HOME: '/nowhere' } });
    const [, url, , authorization, , type, , body] = output.toString().split('\0');
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

  it('works for a request of which no text is kept', () => {
    expect(toCurl({ path: '/v1/chat/completions' }, 'http://h')).toContain('(the log keeps no texts)');
  });
});
