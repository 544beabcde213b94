import { setImmediate, setTimeout } from 'node:timers/promises';
import { type EventWriter } from '../model/event-writer.js';
import { DEFAULT_INTERVAL_MS, type Piece } from '../model/sandbox-answer.js';
import { type Script, type StopPoint } from '../model/sandbox-script.js';
import { type SandboxSink } from './sandbox-sink.js';

/** End of a played answer: in good order, or cut by its script. */
export type Ending = 'completed' | 'cut';

/** Pieces sent per turn of the event loop at an interval of 0 ms, so that other streams get their turn, too. */
const PIECES_PER_TURN = 64;

/**
 * Sends an answer's headers and events at the script's pace. Rejects as soon as the signal aborts, with no timer left.
 */
export async function playAnswer(
  script: Script,
  pieces: Iterable<Piece>,
  writer: EventWriter,
  sink: SandboxSink,
  signal: AbortSignal,
  onPiece: () => void,
): Promise<Ending> {
  sink.open();
  if (script.limit?.form === 'sse') {
    sink.send(writer.rateLimit(script.limit.resetSeconds));
    sink.end();
    return 'cut';
  }
  sink.send(writer.start());
  await pause(script.firstChunkMs ?? 0, signal);
  const intervalMs = script.pace?.intervalMs ?? (script.bigBytes === undefined ? DEFAULT_INTERVAL_MS : 0);
  const startedAt = performance.now();
  let sent = 0;
  for (const piece of pieces) {
    await waitUntilDue(sent, intervalMs, startedAt, signal);
    if (await applyStopPoint(sent, script, sink, signal)) {
      return 'cut';
    }
    onPiece();
    sent++;
    if (!sink.send(writer.piece(piece))) {
      await sink.drained(signal);
    }
  }
  if (await applyStopPoint(Infinity, script, sink, signal)) {
    return 'cut';
  }
  sink.send(writer.finish());
  if (script.partial) {
    sink.breakOff();
    return 'cut';
  }
  sink.end();
  return 'completed';
}

/** Waits; resolves at once for 0. Rejects when the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) {
    await setTimeout(milliseconds, undefined, { signal });
  }
}

/** Never resolves; rejects when the signal aborts. */
export function silence(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(signal.reason as Error);
  if (signal.aborted) {
    giveUp();
  }
  signal.addEventListener('abort', giveUp, { once: true });
  return promise;
}

/** Falls silent or cuts the connection where the script says so. Resolves to true after a cut. */
async function applyStopPoint(
  sent: number,
  script: Script,
  sink: SandboxSink,
  signal: AbortSignal,
): Promise<boolean> {
  if (isReached(script.reset, sent)) {
    // Events written in this turn are flushed at its end; a cut before that would lose them.
    await setImmediate(undefined, { signal });
    sink.destroy();
    return true;
  }
  if (isReached(script.hang, sent)) {
    await silence(signal);
  }
  return false;
}

function isReached(point: StopPoint | undefined, sent: number): boolean {
  return typeof point === 'number' && sent >= point;
}

/** Waits until a piece is due, counted from the start, so that the delays of timers do not accumulate. */
async function waitUntilDue(
  sent: number,
  intervalMs: number,
  startedAt: number,
  signal: AbortSignal,
): Promise<void> {
  if (intervalMs === 0) {
    if (sent % PIECES_PER_TURN === PIECES_PER_TURN - 1) {
      await setImmediate(undefined, { signal });
    }
    return;
  }
  const dueInMs = startedAt + sent * intervalMs - performance.now();
  if (dueInMs > 0) {
    await setTimeout(dueInMs, undefined, { signal });
  }
}
