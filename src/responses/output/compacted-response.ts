import { InternalError } from '../../common/errors/gateway.errors.js';
import { type InputItem } from '../dto/input-items.validator.js';
import { type OutputItem, type ResponseObject } from '../interfaces/response-object.js';

/** A conversation after it was compacted, on the wire: what to send instead of it. */
export interface CompactedResponse extends Pick<ResponseObject, 'id' | 'created_at' | 'usage'> {
  readonly object: 'response.compaction';
  readonly output: readonly (InputItem | OutputItem)[];
}

/**
 * @param kept items that stay in front of the summary
 * @throws InternalError if the summary is not whole, which this form has no word for
 */
export function toCompactedResponse(
  { id, created_at, status, output, usage }: ResponseObject,
  kept: readonly InputItem[],
): CompactedResponse {
  if (status !== 'completed') {
    throw new InternalError('answer_unusable', 'the summary of the conversation was cut off.');
  }
  return { id, object: 'response.compaction', created_at, output: [...kept, ...output], usage };
}
