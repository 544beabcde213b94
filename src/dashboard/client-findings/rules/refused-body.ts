import { type FailureReason } from '../../../common/errors/failure-reasons.js';
import { type ClientTraffic, type Cure, groupedBy, type Symptom } from '../client-finding.js';

/** Of the same refusal: a program that is being written has many different ones. */
const LEAST = 5;

const CURES: Partial<Record<FailureReason, Cure>> = {
  invalid_request: {
    cure: 'The message names what is at fault: leave that field out in its settings, or update it.',
  },
  upstream_refused: {
    cure: 'It is the upstream that refuses this: the cause in each of these requests has its own words.',
  },
  payload_too_large: {
    cure: 'Have it send less, such as fewer pictures, or raise BODY_LIMIT.',
    page: 'settings',
  },
  unsupported_media_type: {
    cure: 'Have it send this header.',
    line: 'Content-Type: application/json',
  },
};

/** The client sends bodies that are refused for the same reason each time. */
export function refusedBody({ failed, answered }: ClientTraffic): Symptom[] {
  // Places and sizes in a message differ from request to request.
  const groups = groupedBy(failed, ({ error }) => error?.message?.replace(/\d+/g, '#'));
  return [...groups.values()]
    .filter((requests) => requests.length >= LEAST)
    .flatMap((requests) => {
      const { reason, message = '' } = requests.at(-1)?.error ?? {};
      const cure = reason && CURES[reason];
      // Of a client that is set up well, upstreams refuse single prompts.
      const isSingle = reason === 'upstream_refused' && requests.length <= answered.length;
      return cure && !isSingle ? [{ symptom: `It is refused each time: ${message}`, ...cure, requests }] : [];
    });
}
