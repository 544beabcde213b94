import { type ServerResponse } from 'node:http';
import { type Settings } from '../../../common/config/settings.js';
import { type CompletionOutput } from './completion-output.js';
import { JsonOutput, type ToJsonBody } from './json-output.js';
import { type StreamFrames } from './stream-frames.js';
import { StreamOutput } from './stream-output.js';

/** One answer in the wire format of its endpoint. */
export interface AnswerFormat {
  /** Called for a streamed answer only. */
  readonly frames: () => StreamFrames;
  readonly toBody: ToJsonBody;
}

/** Settings by which outputs keep a silent connection. */
export type OutputTimes = Pick<Settings, 'HEARTBEAT_AFTER_MS' | 'HEARTBEAT_INTERVAL_MS'>;

/** They as options of outputs. */
export function outputTimes({
  HEARTBEAT_AFTER_MS: heartbeatAfterMs,
  HEARTBEAT_INTERVAL_MS: heartbeatIntervalMs,
}: OutputTimes): { readonly heartbeatAfterMs: number; readonly heartbeatIntervalMs: number } {
  return { heartbeatAfterMs, heartbeatIntervalMs };
}

/** The output to a caller that waits for its answer, as Server-Sent Events or as one JSON body. */
export function createOutput(
  response: ServerResponse,
  { stream }: { readonly stream: boolean },
  { frames, toBody }: AnswerFormat,
  settings: OutputTimes,
): CompletionOutput {
  const times = outputTimes(settings);
  return stream ? new StreamOutput(response, frames(), times) : new JsonOutput(response, toBody, times);
}
