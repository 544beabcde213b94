import { describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { NEVER, takeUntil } from 'rxjs';
import { aborted } from './aborted.js';

describe('aborted', () => {
  it('ends what waits for it once the signal is aborted, and leaves no listener', () => {
    const controller = new AbortController();
    let ended = 0;
    NEVER.pipe(takeUntil(aborted(controller.signal))).subscribe({ complete: () => (ended += 1) });
    expect(ended).toBe(0);
    controller.abort();
    expect(ended).toBe(1);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('ends it at once if the signal already is', () => {
    let ended = false;
    NEVER.pipe(takeUntil(aborted(AbortSignal.abort()))).subscribe({ complete: () => (ended = true) });
    expect(ended).toBe(true);
  });

  it('leaves no listener behind when nobody waits any longer', () => {
    const { signal } = new AbortController();
    const waiting = aborted(signal).subscribe();
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    waiting.unsubscribe();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
