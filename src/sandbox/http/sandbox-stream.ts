import { setImmediate, setTimeout } from 'node:timers/promises';
import { type EventWriter } from '../model/event-writer.js';
import { DEFAULT_INTERVAL_MS, type Piece } from '../model/sandbox-answer.js';
import { type Script, type StopPoint } from '../model/sandbox-script.js';
import { type SandboxSink } from './sandbox-sink.js';

/** How a played answer ended: in good order, or as its script cut it. */
export type Ending = 'completed' | 'cut';

/** Pieces sent in one go before other streams get their turn, where no time is to pass between two. */
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
  onPiece: () => void = () => undefined,
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
    await paceOf(sent, intervalMs, startedAt, signal);
    if (await stopsAt(sent, script, sink, signal)) {
      return 'cut';
    }
    onPiece();
    sent++;
    if (!sink.send(writer.piece(piece))) {
      await sink.drained(signal);
    }
  }
  if (await stopsAt(Infinity, script, sink, signal)) {
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

/** Waits, unless there is nothing to wait for. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) {
    await setTimeout(milliseconds, undefined, { signal });
  }
}

/** Rejects when the signal aborts, and never ends otherwise. */
export function silence(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(signal.reason as Error);
  if (signal.aborted) {
    giveUp();
  }
  signal.addEventListener('abort', giveUp, { once: true });
  return promise;
}

/** True once the script has cut the connection. */
async function stopsAt(
  sent: number,
  script: Script,
  sink: SandboxSink,
  signal: AbortSignal,
): Promise<boolean> {
  if (reached(script.reset, sent)) {
    // What was written in this turn leaves at its end; only then is the connection cut.
    await setImmediate(undefined, { signal });
    sink.destroy();
    return true;
  }
  if (reached(script.hang, sent)) {
    await silence(signal);
  }
  return false;
}

function reached(point: StopPoint | undefined, sent: number): boolean {
  return typeof point === 'number' && sent >= point;
}

/** Keeps to the time a piece is due at, so that late timers do not add up. */
async function paceOf(
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
