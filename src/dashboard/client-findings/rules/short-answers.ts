import { type ClientTraffic, type Symptom } from '../client-finding.js';

const LEAST = 3;
/** What the gateway notes on an answer that its own default has cut. */
const CUT = /^The answer was cut at (\d+) tokens, since the request named no limit\.$/;
/** As much as the models of this format give. */
const ENOUGH = 65_536;

/** The client names no limit for answers, and those of the default are too short for it. */
export function shortAnswers({ answered }: ClientTraffic): Symptom[] {
  const cutAt = (notes: readonly string[] = []): string | undefined =>
    notes.map((note) => CUT.exec(note)?.[1]).find((tokens) => tokens !== undefined);
  const requests = answered.filter(({ notes }) => cutAt(notes) !== undefined);
  return requests.length < LEAST
    ? []
    : [
        {
          symptom: `Its answers are cut at ${cutAt(requests.at(-1)?.notes) ?? ''} tokens, since it names no limit.`,
          cure: 'Have it send max_tokens, or raise this setting of the gateway.',
          line: `DEFAULT_MAX_TOKENS=${ENOUGH}`,
          page: 'settings',
          requests,
        },
      ];
}
