import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { quantity } from '../kit/gap.js';
import { type Finding, messageNames } from './finding-messages.js';
import { isSimilar, MAX_CANDIDATES } from './line-groups.js';

/** A finding with the lines below it that belong to it. */
export interface DetailedFinding extends Finding {
  /** The line as it was written. */
  readonly line: string;
  /** The rest of a long message, or the source at that place. */
  readonly details: string[];
}

/** Findings from which on those of a kind are told by a label; rarer ones stay as they were written. */
const MIN_LABELLED = 6;

/** Words of a message. */
const WORD = /[A-Za-z_][\w$]{0,100}(?:[.$][\w$]{1,100}){0,8}/g;

/** Codes that are short enough to be labels. */
const CODE = /\b[A-Z]{1,4}\d{2,5}\b/;

/** Marks below a line of source, or a line of source with its number. */
const SOURCE = /^[ \t\d|]{0,400}(?:[\^~][\^~ \t-]{0,400}(?: .{0,80})?$|\|)/;

interface KnownFinding extends DetailedFinding {
  /** Its text without the names in it. */
  readonly kind: string;
  /** Whether others of its kind differ in words, which are names then. */
  readonly isJoined: boolean;
}

/** Findings of one kind, and the places of its names that are not the same in all of them. */
interface Kind {
  readonly label: string;
  readonly differing: readonly number[];
}

/**
 * Findings by file, where most have messages of their own: each kind of messages is told once, and a finding says by its
 * label, its place and its names what it is. Of these, the source is left out: the place tells where to read it.
 */
export function findingsByFile(detailed: readonly DetailedFinding[]): string[] {
  const findings = withKinds(detailed);
  const kinds = Map.groupBy(findings, ({ kind }) => kind);
  const frequent = [...kinds]
    .filter(([, of]) => of.length >= MIN_LABELLED)
    .sort(([, a], [, b]) => b.length - a.length);
  const codeOf = (kind: string): string | undefined => CODE.exec(kind)?.[0];
  const byCode = Map.groupBy(frequent, ([kind]) => codeOf(kind));
  const told = new Map<string, Kind>();
  const legend = frequent.map(([kind, of], index) => {
    const code = codeOf(kind);
    const label = code !== undefined && byCode.get(code)?.length === 1 ? code : `~${index + 1}`;
    const { text, differing } = commonText(of);
    told.set(kind, { label, differing });
    return `${label} = ${text} (${of.length})`;
  });
  const rare = findings.filter(({ kind }) => !told.has(kind));
  const others = findings.filter(({ kind }) => told.has(kind));
  const hasSource = others.some(isWithSource);
  return [
    `[${quantity(findings.length, 'findings')} in ${quantity(filesOf(findings), 'files')}, with labels for frequent messages${hasSource ? '; source below these omitted' : ''}]`,
    ...legend,
    ...rare.flatMap(({ line, details }) => [line, ...details]),
    ...[...Map.groupBy(others, ({ path }) => path)].map(([path, of]) => `${path} ${placesIn(of, told)}`),
  ];
}

function filesOf(findings: readonly Finding[]): number {
  return new Set(findings.map(({ path }) => path)).size;
}

function isWithSource({ details }: DetailedFinding): boolean {
  return details.some((line) => SOURCE.test(line));
}

function textOf(finding: DetailedFinding): string {
  return isWithSource(finding) ? finding.message : [finding.message, ...finding.details].join('\n');
}

/** The findings with their kinds, of which rare ones that differ in a few words are one: names need not be in quotes. */
function withKinds(detailed: readonly DetailedFinding[]): KnownFinding[] {
  const own = detailed.map((finding) => textOf(finding).replace(messageNames(), '*'));
  const joined = joinedKinds(Map.groupBy(own, (kind) => kind));
  const kindsOfSeveral = new Set(joined.values());
  return detailed.map((finding, at) => {
    const kind = joined.get(own[at] ?? '') ?? own[at] ?? '';
    return { ...finding, kind, isJoined: kindsOfSeveral.has(kind) };
  });
}

/** The kind that stands for a rare one, which differs from it in a few words. */
function joinedKinds(kinds: ReadonlyMap<string, readonly string[]>): Map<string, string> {
  const joined = new Map<string, string>();
  const rare = [...kinds.values()].filter(({ length }) => length < MIN_LABELLED);
  if (rare.flat().length < MIN_LABELLED) {
    return joined;
  }
  const candidates = new Map<string, { readonly kind: string; readonly words: readonly string[] }[]>();
  for (const [kind, of] of kinds) {
    const words = kind.match(WORD) ?? [];
    // Rules stand in front as a code or at the end, and are no names.
    const form = [kind.replace(WORD, 'w'), CODE.exec(kind)?.[0], words.at(-1)].join(' ');
    const alike = getOrInsert(candidates, form, () => []);
    const known = of.length < MIN_LABELLED && alike.find((other) => isSimilar(other.words, words));
    if (known) {
      joined.set(kind, known.kind);
    }
    if (!known && alike.length < MAX_CANDIDATES) {
      alike.push({ kind, words });
    }
  }
  return joined;
}

/** The text of findings of a kind, with `*` for the names in which they differ, and the places of these. */
function commonText(findings: readonly KnownFinding[]): { text: string; differing: number[] } {
  const names = findings.map(namesIn);
  const [first = []] = names;
  const differing = [...first.keys()].filter((at) => names.some((of) => of[at] !== first[at]));
  let at = 0;
  const [example] = findings;
  const common = (example ? textOf(example) : '').replace(partsOf(example), (name) =>
    differing.includes(at++) ? '*' : name,
  );
  return { text: common, differing };
}

/** What findings of a kind may differ in, as a pattern of its own for each search: names, and words of a joined kind. */
function partsOf(finding: KnownFinding | undefined): RegExp {
  return finding?.isJoined ? new RegExp(`${messageNames().source}|${WORD.source}`, 'g') : messageNames();
}

function namesIn(finding: KnownFinding): readonly string[] {
  return textOf(finding).match(partsOf(finding)) ?? [];
}

/** Findings of one file by their labels. */
function placesIn(findings: readonly KnownFinding[], kinds: ReadonlyMap<string, Kind>): string {
  return [...Map.groupBy(findings, ({ kind }) => kind)]
    .map(([kind, of]) => {
      const { label = '', differing = [] } = kinds.get(kind) ?? {};
      const places = of.map((finding) => {
        const names = namesIn(finding);
        return [finding.at.replace(/^[(:]|\)$/g, ''), ...differing.map((at) => names[at] ?? '')].join(' ');
      });
      return `${label} ${places.join(differing.length > 0 ? ', ' : ' ')}`;
    })
    .join('; ');
}
