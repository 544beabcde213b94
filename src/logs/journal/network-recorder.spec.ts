import { describe, expect, it, jest } from '@jest/globals';
import { heldBytes } from '../../../test/support/watch/held-memory.js';
import { SystemClock } from '../../common/time/clock.js';
import { type FullTexts } from '../full-texts.js';
import { type ExchangeBodies } from '../records/exchange-bodies.js';
import { type LogJournal } from './log-journal.js';
import { NetworkRecorder } from './network-recorder.js';

const BODY_BYTES = 2 ** 20;
const KEPT_CHARS = 64 * 1024;

describe('NetworkRecorder', () => {
  const begin = jest.fn<LogJournal['begin']>().mockReturnValue({ end: () => undefined });
  const journal: Pick<LogJournal, 'begin'> = { begin };
  const recorder = new NetworkRecorder(
    journal as LogJournal,
    { mode: 'full' } as FullTexts,
    new SystemClock(),
  );
  const start = { method: 'POST', url: 'http://upstream/v1/chat/completions' };

  const bodies = (): ExchangeBodies | undefined => begin.mock.lastCall?.[2]?.();

  it('keeps the beginning of a request body', () => {
    recorder.begin({ ...start, body: bodyOf('a') });
    expect(bodies()?.request).toBe(bodyOf('a').slice(0, KEPT_CHARS));
  });

  it('keeps the beginning of the body that was sent in its place', () => {
    recorder.begin({ ...start, body: 'a' }).sent(bodyOf('b'));
    expect(bodies()?.request).toBe(bodyOf('b').slice(0, KEPT_CHARS));
    recorder.begin(start).sent('b');
    expect(bodies()?.request).toBeUndefined();
  });

  it('holds no more of a body than it keeps while it waits for the answer', () => {
    const count = 8;
    const before = heldBytes();
    const exchanges = Array.from({ length: count }, () => recorder.begin({ ...start, body: bodyOf('a') }));
    expect(heldBytes() - before).toBeLessThan((count * BODY_BYTES) / 2);
    exchanges.forEach((exchange) => exchange.end());
  });
});

/** A text that is held as a whole, unlike one that repeats another. */
function bodyOf(letter: string): string {
  return JSON.stringify({ [letter.repeat(BODY_BYTES)]: letter });
}
