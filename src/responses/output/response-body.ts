import { type Answer } from '../../chat/completion/answer.js';
import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';
import { type ResponseObject } from '../interfaces/response-object.js';
import { type ResponseEvents } from './response-events.js';

/** The whole answer as one response: what its events would come to. */
export function toResponseBody(
  events: ResponseEvents,
  answer: Answer,
  reason: FinishReason,
  usage: TokenUsage,
): ResponseObject {
  if (answer.reasoning !== '') {
    events.reasoning(answer.reasoning);
  }
  if (answer.text !== '') {
    events.text(answer.text);
  }
  if (answer.refusal !== '') {
    events.refusal(answer.refusal);
  }
  answer.toolCalls.forEach(({ id, function: { name, arguments: json } }, index) =>
    events.toolCall({ index, id, name, arguments: json }),
  );
  events.end(answer, reason, usage);
  return events.response;
}
