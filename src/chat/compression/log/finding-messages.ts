/** A finding of a compiler or linter. */
export interface Finding {
  readonly message: string;
  /** Path of an inline finding; empty below the name of a file. */
  readonly path: string;
  /** Line and column, as they were written. */
  readonly at: string;
}

/** What messages of one kind differ in: names in quotes, and numbers. */
const NAMES =
  /'[^'\n]{1,200}'|"[^"\n]{1,200}"|`[^`\n]{1,200}`|‘[^’\n]{1,200}’|(?<![\w.'"])-?\d{1,20}(?:\.\d{1,20})?(?![\w.'"])/g;

/** The rule of a linter at the end of a message. */
const RULE = / {2}(\S{3,80})$/;

/** Findings from which on a kind of message is worth a label, and blocks of findings over which it spreads. */
const MIN_LABELLED = 8;
const MIN_BLOCKS = 3;

/** Findings from which on one line tells those of a kind. */
const MIN_KIND = 4;

/** Up to so many, findings are not counted: they are seen at a glance. */
const GLANCE = 3;

/**
 * Kinds of messages of a report. Below the names of files, those that come often get a label, by which the findings call
 * them. An inline finding is complete by itself, and its message stays as it is.
 */
export class FindingMessages {
  /** Lines that tell what the labels stand for. */
  readonly legend: string[] = [];
  private readonly labels = new Map<string, string>();

  /** @param blocks findings that stand together, without another line between them */
  constructor(blocks: readonly (readonly Finding[])[]) {
    const kinds = Map.groupBy(
      blocks.flatMap((findings, block) => findings.map((finding) => ({ ...finding, block }))),
      kindOf,
    );
    const taken = new Set<string>();
    for (const [kind, of] of [...kinds].sort(([, a], [, b]) => b.length - a.length)) {
      const label = of[0]?.path === '' ? RULE.exec(kind)?.[1] : undefined;
      const isSpread =
        new Set(of.map(({ block }) => block)).size >= MIN_BLOCKS ||
        new Set(of.map(({ message }) => message)).size > 1;
      if (label !== undefined && !taken.has(label) && of.length >= MIN_LABELLED && isSpread) {
        taken.add(label);
        this.labels.set(kind, label);
        this.legend.push(`${label} = ${kind.replace(RULE, '')} (${of.length})`);
      }
    }
  }

  /** Lines for a block of findings: each message, or kind of messages, once with its places. */
  lines(findings: readonly Finding[]): string[] {
    const kinds = Map.groupBy(findings, kindOf);
    return [...kinds].flatMap(([kind, of]) => {
      const label = this.labels.get(kind);
      const messages = Map.groupBy(of, ({ message }) => message);
      if (label === undefined && (messages.size === 1 || of.length < MIN_KIND)) {
        return [...messages].map(([message, alike]) => withPlaces(message, alike));
      }
      const named = [...messages].map(([message, alike]) => {
        const names = message.match(NAMES)?.join(' ') ?? '';
        return names === '' ? placesOf(alike) : `${names} @ ${placesOf(alike)}`;
      });
      return [`${label ?? kind}${countOf(of)}: ${named.join('; ')}`];
    });
  }
}

/** What messages of one kind differ in, as a pattern of its own for each search. */
export function messageNames(): RegExp {
  return new RegExp(NAMES);
}

/** A message without what those of its kind differ in. */
function kindOf({ message, path }: Finding): string {
  return path === '' ? message.replace(NAMES, '*') : message;
}

function withPlaces(message: string, alike: readonly Finding[]): string {
  return alike.length > 1
    ? `${message}${countOf(alike)}: ${placesOf(alike)}`
    : `${placesOf(alike)}: ${message}`;
}

function countOf(findings: readonly Finding[]): string {
  return findings.length > GLANCE ? ` (${findings.length})` : '';
}

/**
 * Places as they were written; a file with many of them is named once: `src/a.ts:12:5 19:1 31:9 44:2`. In brackets,
 * as in `src/a.ts(12,5)`, they are none without it.
 */
function placesOf(findings: readonly Finding[]): string {
  return [...Map.groupBy(findings, ({ path }) => path)]
    .flatMap(([path, of]) => {
      const isNamedOnce = of.length > GLANCE && of.every(({ at }) => at.startsWith(':'));
      const places = of.map(({ at }) => path + at);
      return isNamedOnce ? [places[0], ...of.slice(1).map(({ at }) => at.slice(1))] : places;
    })
    .join(' ');
}
