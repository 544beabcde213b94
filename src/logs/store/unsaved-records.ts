import { DEFAULT_LIMIT, type LogFilter } from '../records/log-filter.js';
import { matchesFilter } from '../records/record-match.js';
import { type StoredRecord, textOf } from '../records/stored-record.js';
import { type StoredRequest, type TextPage } from './log-reader.js';
import { type Ranked, ranked, wantedRanking } from './ranking.js';
import {
  type ChangesQuery,
  type FoundPage,
  type FoundRecord,
  type FoundRequest,
  uptoPageLength,
} from './record-search.js';

// What the file holds, put together with the records that are still to be written, whose states are the later ones.

export type FoundText = Ranked & Pick<FoundRecord, 'text'>;

/** Stored records, and those of the unsaved ones that match; in no order. */
export function withUnsaved(
  { records, reached }: FoundPage,
  unsaved: readonly StoredRecord[],
  filter: LogFilter,
): FoundText[] {
  const { withTexts = false } = filter;
  const latest = new Map(unsaved.map((record) => [record.id, record]));
  return [
    ...records.filter(({ id }) => !latest.has(id)),
    ...[...latest.values()]
      .filter((record) => record.seq >= reached && matchesFilter(record, filter))
      .map((record) => ({ ...rankedOf(record), text: textOf(record, withTexts) })),
  ];
}

/**
 * One page of records in no order. Those of one number, which nodes may share, stay together, since it is the cursor.
 * @param reached as in `FoundPage`
 */
export function toPage(records: readonly FoundText[], reached: number, filter: LogFilter): TextPage {
  const { limit = DEFAULT_LIMIT } = filter;
  const ranking = wantedRanking(filter);
  if (ranking !== undefined) {
    const texts = ranked(records, ranking, limit).map(({ text }) => text);
    return { texts, next: reached > 0 ? String(reached) : null };
  }
  const sorted = records.toSorted((a, b) => b.seq - a.seq);
  const last = sorted[limit - 1]?.seq ?? 0;
  const page = sorted.filter(({ seq }) => seq >= last);
  const next = page.length < sorted.length ? last : reached;
  return { texts: page.map(({ text }) => text), next: next > 0 ? String(next) : null };
}

/** A request with its exchanges; undefined if it is neither stored nor unsaved. */
export function requestWithUnsaved(
  id: string,
  found: FoundRequest | undefined,
  unsaved: readonly StoredRecord[],
): StoredRequest | undefined {
  const own = unsavedRequest(id, unsaved);
  const entry = own ? textOf(own, true) : found?.entry?.text;
  if (entry === undefined) {
    return undefined;
  }
  const network = new Map(found?.network.map(({ seq, text }) => [seq, text]));
  for (const record of unsaved.filter(({ requestId }) => requestId === id)) {
    network.set(record.seq, textOf(record, true));
  }
  const inOrder = [...network].sort(([a], [b]) => a - b);
  return { entry, network: inOrder.map(([, text]) => text) };
}

/** The unsaved state of a request. */
export function unsavedRequest(id: string, unsaved: readonly StoredRecord[]): StoredRecord | undefined {
  return unsaved.find((record) => record.kind === 'request' && record.id === id);
}

/** The latest changes, oldest first. */
export function changesWithUnsaved(
  found: readonly FoundRecord[],
  unsaved: readonly StoredRecord[],
  { after, limit, withTexts, kind, key }: ChangesQuery,
): readonly FoundRecord[] {
  const latest = new Map(unsaved.map((record) => [record.seq, record]));
  const newestFirst = [
    ...found.filter(({ seq }) => !latest.has(seq)),
    ...[...latest.values()]
      .filter((record) => record.changed > after)
      .filter((record) => (kind ?? record.kind) === record.kind && (key ?? record.key) === record.key)
      .map((record) => ({ ...record, ...rankedOf(record), text: textOf(record, withTexts) })),
  ]
    .sort((a, b) => b.changed - a.changed)
    .slice(0, limit);
  return [...uptoPageLength(newestFirst)].reverse();
}

function rankedOf({ seq, totalMs, promptTokens, completionTokens, queuedMs }: StoredRecord): Ranked {
  return { seq, totalMs, tokens: promptTokens + completionTokens, queuedMs };
}
