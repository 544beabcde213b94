import { type RequestLogEntry } from '../../logs/records/request-log-entry.js';

/** What the log tells of one client with one key; each list oldest first. */
export interface ClientTraffic {
  /** Requests that were refused, limited, or given up by the client. */
  readonly failed: readonly RequestLogEntry[];
  /** The latest completions that were answered. */
  readonly answered: readonly RequestLogEntry[];
  /** Unix milliseconds since which `answered` is complete. */
  readonly answeredSince: number;
}

/** A model of the gateway, for a cure to name. */
export interface OfferedModel {
  readonly id: string;
  /** In tokens; undefined where it is only assumed. */
  readonly contextWindow?: number | undefined;
}

/** What to do about a fault in the set-up of a client. */
export interface Cure {
  /** In a sentence. */
  readonly cure: string;
  /** A line to be copied; `{origin}` stands for the address of the gateway. */
  readonly line?: string;
  /** Page of the dashboard for the cure. */
  readonly page?: 'keys' | 'settings';
}

/** A fault that requests of a client prove. */
export interface Symptom extends Cure {
  /** What was seen, in a sentence. */
  readonly symptom: string;
  /** The requests that prove it, oldest first; at least one. */
  readonly requests: readonly RequestLogEntry[];
}

/** Looks for one kind of fault. Must find nothing in ordinary use. */
export type FindingRule = (traffic: ClientTraffic, models: readonly OfferedModel[]) => readonly Symptom[];

/** The requests by a feature; those without it are left out. */
export function groupedBy<Key>(
  requests: readonly RequestLogEntry[],
  keyOf: (request: RequestLogEntry) => Key | undefined,
): ReadonlyMap<Key, readonly RequestLogEntry[]> {
  const groups = Map.groupBy(requests, keyOf);
  groups.delete(undefined);
  return groups as ReadonlyMap<Key, readonly RequestLogEntry[]>;
}
