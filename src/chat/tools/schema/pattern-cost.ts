/** `*`, `+`, `{2,}`: backtracking tries up to one length for each character of the text. */
const REPETITION = /[*+]|\{\d*,/g;
/** `?`, `|`: backtracking tries two ways. Thirty in a row would take a billion steps. */
const CHOICE = /[?|]/g;
/** Tried at the start of a text only, not at each character. */
const ANCHORED = /^\^[^|]*$/;

/** What stands for one character: an escape, a class, a pair of surrogates or any other character. */
const ATOM =
  /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\dA-Fa-f]{4}|\\[^bB]|\[(?:\\.|[^\]\\])*\]|[\uD800-\uDBFF][\uDC00-\uDFFF]|[^()|^$\\]/;
/** What stands for none: the opening of a group, `(?=`, `(?<name>`, and `)`, `|`, `^`, `$`, `\b`. */
const BETWEEN = /\((?:\?(?:<?[=!]|:|<[^>]*>))?|[)|^$]|\\[bB]/;
const QUANTIFIER = /[*+?]|\{(?<least>\d+)(?:,(?<most>\d*))?\}/;
const TOKEN = new RegExp(`${BETWEEN.source}|(?<atom>${ATOM.source})(?<times>${QUANTIFIER.source})?`, 'g');

/** Alternatives, and what looks ahead or behind. */
const BRANCHING = /\||\(\?<?[=!]/;

/** Characters beyond the Basic Multilingual Plane, one by one or by their property. */
const ASTRAL = /\\[pP]\{|\\u\{0*[1-9A-Fa-f][\dA-Fa-f]{4}|\\u[dD][89A-Fa-f]|[\uD800-\uDFFF]/;
/** All characters but a few. */
const COMPLEMENT = /^\.$|^\[\^|\\[DSW]/;

/**
 * The engine looks at four characters at once where it can, and then at all combinations of the ways to write them in
 * UTF-16: at millions for four letters of any script. It does so once for each character of the pattern.
 */
const CHARACTERS_AHEAD = 4;
const ASTRAL_WAYS = 80;
const COMPLEMENT_WAYS = 5;
const WAY_STEPS = 48;

/** Steps that an astral set takes to be read and to be compiled; and how many times longer its test is than another's. */
const READ_ASTRAL_STEPS = 2 ** 14;
const COMPILE_ASTRAL_STEPS = 2 ** 18;
const ASTRAL_TEST = 8;

/** Quantifiers that the engine writes out instead of a loop, and what it writes out of others in front of the loop. */
const MAX_WRITTEN_OUT = 6;
const MAX_BEFORE_LOOP = 3;

interface Atom {
  readonly isAstral: boolean;
  /** Ways to write its characters. */
  readonly ways: number;
  readonly least: number;
  /** Infinite for `*`, `+` and `{2,}`. */
  readonly most: number;
}

/** A character that the engine may see next. */
interface Position {
  readonly ways: number;
  readonly isOptional: boolean;
  /** Whether what comes next is not looked at. */
  readonly isLast: boolean;
}

/** Steps that it takes to read a regular expression, besides those that any takes. */
export function readingSteps(pattern: string): number {
  return count(pattern, /\\[pP]/g) * READ_ASTRAL_STEPS;
}

/** Steps that the engine takes for a regular expression, about a nanosecond each; at least as many as it does take. */
export class PatternCost {
  /** Steps of what the engine does when a pattern is tried for the first time. */
  readonly compiling: number;
  private readonly repetitions: number;
  private readonly choices: number;
  private readonly tests: number;

  constructor(pattern: string) {
    const atoms = [...pattern.matchAll(TOKEN)].flatMap(({ groups }) => atomOf(groups ?? {}) ?? []);
    const astral = atoms.filter(({ isAstral }) => isAstral);
    this.compiling =
      astral.length * COMPILE_ASTRAL_STEPS + combinations(positionsOf(pattern, atoms)) * WAY_STEPS;
    this.repetitions = count(pattern, REPETITION) + (ANCHORED.test(pattern) ? 0 : 1);
    this.choices = count(pattern, CHOICE);
    const test = astral.length > 0 ? ASTRAL_TEST : 1;
    this.tests =
      test *
      Math.max(
        1,
        atoms.reduce((sum, { least, most }) => sum + (least === most ? least : 0), 0),
      );
  }

  /** The most steps of backtracking on a text of this length. */
  trying(chars: number): number {
    return (
      (chars + 1) ** this.repetitions * 2 ** this.choices * Math.min(this.tests, ASTRAL_TEST * (chars + 1))
    );
  }
}

function atomOf({
  atom,
  times,
  least,
  most,
}: Readonly<Record<string, string | undefined>>): Atom | undefined {
  if (atom === undefined) {
    return undefined;
  }
  const isAstral = ASTRAL.test(atom);
  return {
    isAstral,
    ways: isAstral ? ASTRAL_WAYS : COMPLEMENT.test(atom) ? COMPLEMENT_WAYS : 1,
    least: Number(least ?? (times === '*' || times === '?' ? 0 : 1)),
    most: times === '*' || times === '+' || most === '' ? Infinity : Number(most ?? least ?? 1),
  };
}

function positionsOf(pattern: string, atoms: readonly Atom[]): readonly Position[] {
  if (BRANCHING.test(pattern)) {
    // Each way through it leaves atoms out.
    return atoms
      .filter(({ ways }) => ways > 1)
      .map(({ ways }) => ({ ways, isOptional: true, isLast: false }));
  }
  return atoms.flatMap(({ ways, least, most }) => {
    const isLoop = most > MAX_WRITTEN_OUT;
    const length = isLoop ? Math.max(1, Math.min(least, MAX_BEFORE_LOOP)) : most;
    return Array.from({ length }, (_, at) => ({
      ways,
      isOptional: at >= least,
      isLast: isLoop && at === length - 1,
    }));
  });
}

/** How many combinations of ways to write the next characters there are, for all positions together. */
function combinations(positions: readonly Position[]): number {
  /** Those of up to 0, 1, 2… characters from a position on. */
  let following = Array.from({ length: CHARACTERS_AHEAD + 1 }, () => 1);
  let sum = 0;
  for (const { ways, isOptional, isLast } of positions.toReversed()) {
    const behind = following;
    following = behind.map((rest, ahead) =>
      ahead === 0 ? 1 : ways * (isLast ? 1 : behind[ahead - 1]!) + (isOptional ? rest : 0),
    );
    sum += following[CHARACTERS_AHEAD]!;
  }
  return sum;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
