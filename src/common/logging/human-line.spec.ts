import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { humanLine } from './human-line.js';

const TIME = new Date(2030, 0, 31, 10, 15, 58).getTime();
const shown = (line: object): string =>
  stripVTControlCharacters(humanLine(`${JSON.stringify({ level: 30, time: TIME, ...line })}\n`));

describe('humanLine', () => {
  it.each([
    [
      {
        msg: 'request finished',
        id: 'req_1',
        outcome: 'ok',
        model: 'svc-max',
        account: 'sandbox-3',
        totalMs: 1740,
      },
      '10:15:58 ✓ svc-max  sandbox-3  1.7 s\n',
    ],
    [
      {
        ...{ level: 30, msg: 'request finished', id: 'req_2', outcome: 'rate_limited', status: 429 },
        ...{ model: 'svc-max', account: null, totalMs: 12, error: { message: 'All accounts cool down.' } },
      },
      '10:15:58 ✗ svc-max  0.0 s  rate_limited  429  All accounts cool down.  req_2\n',
    ],
    [
      { context: 'UpstreamDriver', msg: 'Account sandbox-1 logged in' },
      '10:15:58 · Account sandbox-1 logged in\n',
    ],
    [
      { level: 40, msg: 'account cools down', account: 'a', durationMs: 5 },
      '10:15:58 ! account cools down  account=a durationMs=5\n',
    ],
    [
      { level: 50, msg: 'it broke', err: { message: 'no', stack: 'Error: no\n    at x' } },
      '10:15:58 ✗ it broke\n  Error: no\n      at x\n',
    ],
  ])('%j', (line, text) => {
    expect(shown(line)).toBe(text);
  });

  it('lets no text give orders to the terminal', () => {
    const evil = '\u001b]0;title\u0007\u001b[2J\u009b31m\r\b';
    expect(shown({ msg: evil })).toBe(`10:15:58 · �]0;title��[2J�31m��\n`);
  });

  it('lets no text pass for a line of its own, or turn the direction of one around', () => {
    const error = { message: "The model 'x\n10:15:58 ✓ svc-max \u202e' does not exist." };
    expect(shown({ msg: 'request finished', outcome: 'client_error', status: 404, error })).toBe(
      "10:15:58 ✗ client_error  404  The model 'x\n  10:15:58 ✓ svc-max �' does not exist.\n",
    );
  });

  it('leaves what is no JSON as it is', () => {
    expect(humanLine('plain\n')).toBe('plain\n');
  });
});
