import { SECOND_MS } from '../../../common/time/durations.js';
import { type RequestLogEntry } from '../../../logs/records/request-log-entry.js';
import { type ClientTraffic, type Symptom } from '../client-finding.js';

const LEAST = 4;
/** What ends sooner may be anything. */
const LEAST_MS = 5 * SECOND_MS;
/** People leave at any time: this share of all that were given up must have been given up at the same. */
const SHARE = 0.6;

/** The client gives requests up after the same time again and again, as a time limit does and a person does not. */
export function shortTimeout({ failed }: ClientTraffic): Symptom[] {
  const givenUp = failed.filter(({ outcome }) => outcome === 'cancelled');
  const requests = largestCluster(givenUp);
  if (requests.length < Math.max(LEAST, SHARE * givenUp.length)) {
    return [];
  }
  const seconds = Math.round(lengthOf(requests[0]) / SECOND_MS);
  const isWhole = requests.some(({ stream }) => stream === false);
  return [
    {
      symptom: `It gives requests up after ${seconds} s: a time limit of its own, or of a proxy on the way.`,
      cure: isWhole
        ? 'Raise that limit, or have it ask for streams, whose first words come sooner.'
        : 'Raise that limit: long answers take longer.',
      requests,
    },
  ];
}

/** The most requests whose durations are the same but for 2 %, or 200 ms. */
function largestCluster(requests: readonly RequestLogEntry[]): RequestLogEntry[] {
  const sorted = requests
    .filter((request) => lengthOf(request) >= LEAST_MS)
    .toSorted((a, b) => lengthOf(a) - lengthOf(b));
  let best: RequestLogEntry[] = [];
  let first = 0;
  for (const [last, request] of sorted.entries()) {
    while (lengthOf(request) > widthFrom(lengthOf(sorted[first]))) {
      first += 1;
    }
    if (last - first >= best.length) {
      best = sorted.slice(first, last + 1);
    }
  }
  return best.toSorted((a, b) => a.startedAt - b.startedAt);
}

function widthFrom(ms: number): number {
  return ms + Math.max(200, ms * 0.02);
}

function lengthOf(request: RequestLogEntry | undefined): number {
  return request?.totalMs ?? 0;
}
