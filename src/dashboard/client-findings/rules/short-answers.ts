import { cutAt } from '../../../logs/cut-note.js';
import { type RequestLogEntry } from '../../../logs/records/request-log-entry.js';
import { type ClientTraffic, type Symptom } from '../client-finding.js';

const LEAST = 3;
/** As much as the models of this format give. */
const ENOUGH = 65_536;

/** The client names no limit for answers, and those of the default are too short for it. */
export function shortAnswers({ answered }: ClientTraffic): Symptom[] {
  const limitOf = ({ notes = [] }: RequestLogEntry): number | undefined =>
    notes.map(cutAt).find((tokens) => tokens !== undefined);
  const requests = answered.filter((request) => limitOf(request) !== undefined);
  const last = requests.at(-1);
  return last === undefined || requests.length < LEAST
    ? []
    : [
        {
          symptom: `Its answers are cut at ${limitOf(last)} tokens, since it names no limit.`,
          cure: 'Have it send max_tokens, or raise this setting of the gateway.',
          line: `DEFAULT_MAX_TOKENS=${ENOUGH}`,
          page: 'settings',
          requests,
        },
      ];
}
