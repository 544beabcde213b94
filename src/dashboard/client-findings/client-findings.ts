import { hasReason } from '../../logs/records/log-filter.js';
import { type RequestLogEntry } from '../../logs/records/request-log-entry.js';
import {
  type ClientTraffic,
  type Cure,
  type FindingRule,
  type OfferedModel,
  type Symptom,
} from './client-finding.js';
import { earlyRetries } from './rules/early-retries.js';
import { longPrompts } from './rules/long-prompts.js';
import { missingEndpoint } from './rules/missing-endpoint.js';
import { otherApi } from './rules/other-api.js';
import { refusedBody } from './rules/refused-body.js';
import { refusedKey } from './rules/refused-key.js';
import { shortAnswers } from './rules/short-answers.js';
import { shortTimeout } from './rules/short-timeout.js';
import { unknownModel } from './rules/unknown-model.js';
import { usedUpKey } from './rules/used-up-key.js';
import { webSocket } from './rules/web-socket.js';
import { wrongBaseUrl } from './rules/wrong-base-url.js';

const RULES: Readonly<Record<string, FindingRule>> = {
  wrong_base_url: wrongBaseUrl,
  other_api: otherApi,
  missing_endpoint: missingEndpoint,
  web_socket: webSocket,
  refused_key: refusedKey,
  unknown_model: unknownModel,
  long_prompts: longPrompts,
  early_retries: earlyRetries,
  used_up_key: usedUpKey,
  short_timeout: shortTimeout,
  short_answers: shortAnswers,
  refused_body: refusedBody,
};

/** Most findings at once: anybody can send requests under many names. */
const MAX_FINDINGS = 30;

/** A fault in the set-up of a client, and what cures it. */
export interface ClientFinding extends Cure {
  /** Which fault it is, e.g. `wrong_base_url`. */
  readonly kind: string;
  /** Name of the client; empty if it names none. */
  readonly client: string;
  /** Name of the key; missing where there was none. */
  readonly key?: string;
  readonly symptom: string;
  /** Requests of the time that show it, of those that were read. */
  readonly count: number;
  /** Unix milliseconds. */
  readonly lastAt: number;
  /** Id of the last of them. */
  readonly lastId: string;
  /** Filters of the log that hold for all of them. */
  readonly filter: Readonly<Record<string, string>>;
}

/** The faults of all clients, the most frequent first. @param traffic of all clients */
export function clientFindings(
  { failed, answered, answeredSince }: ClientTraffic,
  models: readonly OfferedModel[],
): ClientFinding[] {
  const [failedBy, answeredBy] = [byClient(failed), byClient(answered)];
  return [...new Set([...failedBy.keys(), ...answeredBy.keys()])]
    .flatMap((name) => {
      const traffic = {
        failed: failedBy.get(name) ?? [],
        answered: answeredBy.get(name) ?? [],
        answeredSince,
      };
      return Object.entries(RULES).flatMap(([kind, rule]) =>
        rule(traffic, models).map((symptom) => toFinding(kind, symptom)),
      );
    })
    .toSorted((a, b) => b.count - a.count || b.lastAt - a.lastAt)
    .slice(0, MAX_FINDINGS);
}

/** In the same order. */
function byClient(requests: readonly RequestLogEntry[]): ReadonlyMap<string, readonly RequestLogEntry[]> {
  return Map.groupBy(requests, ({ client, key }) => JSON.stringify([client, key]));
}

function toFinding(kind: string, { requests, ...told }: Symptom): ClientFinding {
  const last = requests.at(-1) as RequestLogEntry;
  const { client = '', key, startedAt, id, outcome, error } = last;
  const reason = outcome !== 'pending' && hasReason(outcome) ? error?.reason : undefined;
  return {
    kind,
    client,
    ...(key !== undefined && { key }),
    ...told,
    count: requests.length,
    lastAt: startedAt,
    lastId: id,
    filter: {
      ...(client !== '' && { client }),
      ...(key !== undefined && { key }),
      ...(reason === undefined ? { status: outcome } : { reason }),
    },
  };
}
