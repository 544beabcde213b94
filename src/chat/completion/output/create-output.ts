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

/** The output to a caller that waits for its answer, as Server-Sent Events or as one JSON body. */
export function createOutput(
  response: ServerResponse,
  { stream }: { readonly stream: boolean },
  { frames, toBody }: AnswerFormat,
  settings: Pick<Settings, 'HEARTBEAT_AFTER_MS' | 'HEARTBEAT_INTERVAL_MS'>,
): CompletionOutput {
  const { HEARTBEAT_AFTER_MS: heartbeatAfterMs, HEARTBEAT_INTERVAL_MS: heartbeatIntervalMs } = settings;
  return stream
    ? new StreamOutput(response, frames(), { heartbeatAfterMs, heartbeatIntervalMs })
    : new JsonOutput(response, toBody, { heartbeatIntervalMs });
}
