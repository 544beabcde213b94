import { describe, expect, it } from '@jest/globals';
import { DeltaRecorder, inPieces } from '../../../test/support/watch/delta-recorder.js';
import { Clock } from '../../common/time/clock.js';
import { Answer } from '../completion/answer.js';
import { type GuardHooks, type Rejection } from '../completion/guard.js';
import { EchoGuard } from './echo-guard.js';
import { EchoMemory } from './echo-memory.js';

const RESULT = Array.from({ length: 60 }, (_, line) => `entry ${line * 7919} of the harbour register`).join(
  '\n',
);

class StoppedClock extends Clock {
  now(): number {
    return 0;
  }

  monotonic(): number {
    return 0;
  }
}

/** A request of a retrying library, answered by an echo. */
function ask(memory: EchoMemory): { guard: EchoGuard; rejections: Rejection[]; sink: DeltaRecorder } {
  const guard = new EchoGuard({
    results: [{ message: 2, text: RESULT }],
    setting: 'auto',
    isRetryingClient: true,
    memory,
    requestDigest: () => 'c',
  });
  const rejections: Rejection[] = [];
  const sink = new DeltaRecorder();
  const hooks: GuardHooks = {
    isCommitted: () => false,
    end: sink.end,
    reject: (rejection) => rejections.push(rejection),
    pass: () => undefined,
    noteDroppedCalls: () => undefined,
    settle: () => new Answer(),
  };
  const stage = guard.stage(sink, hooks);
  inPieces(RESULT, 7).forEach((piece) => stage.text(piece));
  stage.flush();
  return { guard, rejections, sink };
}

describe('EchoGuard', () => {
  it('drops once, corrects the retry, and starts over once the caller has its answer', () => {
    const memory = new EchoMemory(new StoppedClock());
    const first = ask(memory);
    expect([first.rejections[0]?.action, first.sink.pieces]).toEqual(['drop', []]);
    const retry = ask(memory);
    expect([retry.guard.firstCorrection !== undefined, retry.rejections[0]?.action]).toEqual([
      true,
      'ask_again',
    ]);
    retry.guard.answered();
    expect(ask(memory).rejections[0]?.action).toBe('drop');
  });
});
