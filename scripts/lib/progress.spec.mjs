import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { announced } from './progress.mjs';

const CLEAR = '\r\u001b[K';

class Terminal {
  isTTY = true;
  written = [];

  write(text) {
    this.written.push(text);
  }
}

describe('announced', () => {
  let terminal;
  let work;

  beforeEach(() => {
    jest.useFakeTimers();
    terminal = new Terminal();
    work = Promise.withResolvers();
  });
  afterEach(() => {
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  const shown = () => terminal.written.map((text) => text.replace(CLEAR, ''));

  it('counts the seconds on a terminal, and ends with how it went', async () => {
    const done = announced('Building', () => work.promise, terminal);
    await jest.advanceTimersByTimeAsync(2000);
    work.resolve({ ok: true });
    expect(await done).toEqual({ ok: true });
    expect(shown()).toEqual([
      '  Building … 0 s',
      '  Building … 1 s',
      '  Building … 2 s',
      '✓ Building … 2 s\n',
    ]);
  });

  it.each([
    ['a result that says so', () => work.resolve({ ok: false })],
    ['a rejection', () => work.reject(new Error('no'))],
  ])('shows a failure by %s', async (_by, fail) => {
    const done = announced('Building', () => work.promise, terminal).catch(() => undefined);
    fail();
    await done;
    expect(shown()).toEqual(['  Building … 0 s', '✗ Building … 0 s\n']);
  });

  it('writes one plain line elsewhere', async () => {
    const print = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    terminal.isTTY = false;
    work.resolve(7);
    expect(await announced('Building', () => work.promise, terminal)).toBe(7);
    expect([print.mock.calls, terminal.written]).toEqual([[['Building …']], []]);
    print.mockRestore();
  });
});
