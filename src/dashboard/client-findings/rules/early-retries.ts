import { advisedWaitMs } from '../../../common/errors/retry-advice.js';
import { SECOND_MS } from '../../../common/time/durations.js';
import { type RequestLogEntry } from '../../../logs/records/request-log-entry.js';
import { type ClientTraffic, groupedBy, type Symptom } from '../client-finding.js';

/** Clients repeat a request a few times without looking at what they were told. */
const LEAST = 5;
/** Clocks and ways differ. */
const SLACK_MS = SECOND_MS;

/** The client repeats a limited request before the time that it was told. */
export function earlyRetries({ failed }: ClientTraffic): Symptom[] {
  const limited = failed.filter(({ error }) => error?.reason === 'rate_limited');
  // Several programs may have one name and key: only the same request again is a repetition.
  const groups = groupedBy(limited, ({ model, excerpt }) =>
    excerpt === undefined ? undefined : JSON.stringify([model, excerpt]),
  );
  const requests = [...groups.values()].flatMap(tooEarly).toSorted((a, b) => a.startedAt - b.startedAt);
  return requests.length < LEAST
    ? []
    : [
        {
          symptom: 'It repeats requests that met a rate limit before the time that Retry-After says.',
          cure: 'Have it wait as long as Retry-After says, or try less often: each try is refused until then.',
          requests,
        },
      ];
}

/** Those of one request that began after another was refused, and before it could be served. */
function tooEarly(requests: readonly RequestLogEntry[]): RequestLogEntry[] {
  return requests.filter((request, index) => {
    const before = requests[index - 1];
    const waitMs = advisedWaitMs(before?.error?.message ?? '');
    if (!before || waitMs === undefined) {
      return false;
    }
    const refusedAt = before.startedAt + (before.totalMs ?? 0);
    return request.startedAt > refusedAt && request.startedAt < refusedAt + waitMs - SLACK_MS;
  });
}
