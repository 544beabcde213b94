import { type Input, type Parsing } from './input.js';
import { type MarkedForm } from './marked-form.js';
import { MARKED_FORMS } from './marked-forms.js';
import { peekText, readRun, skipLiteral, skipWhitespace, startsWith } from './scan.js';
import { TURNS_OF_OTHERS } from './turns-of-others.js';

/** Characters by which most text is told from a marker without comparing it with each. */
const HEAD_LENGTH = 2;

interface MarkerSet {
  readonly markers: readonly string[];
  /** The first two characters of each. */
  readonly heads: ReadonlySet<string>;
}

const OPENERS = markerSet(MARKED_FORMS.flatMap(({ openers }) => openers));
const CLOSERS = markerSet(MARKED_FORMS.flatMap(({ closers = [] }) => closers));
const TURNS = markerSet(TURNS_OF_OTHERS);

/** The form whose opener stands at the cursor; undefined if there is none. Consumes nothing. */
export function* announcedForm(input: Input): Parsing<MarkedForm | undefined> {
  const opener = yield* markerAt(input, OPENERS);
  return opener === undefined ? undefined : MARKED_FORMS.find(({ openers }) => openers.includes(opener));
}

/** Consumes a closer of any form at the cursor, or its beginning where the answer ends. @returns whether one stood there */
export function* skipCloser(input: Input): Parsing<boolean> {
  const closer = yield* markerAt(input, CLOSERS);
  const rest = input.text.slice(input.at);
  const isCut = rest.length > 1 && input.isEnded && CLOSERS.markers.some((marker) => marker.startsWith(rest));
  input.at += closer?.length ?? (isCut ? rest.length : 0);
  return closer !== undefined || isCut;
}

/** Whether the turn of a tool or a caller begins at the cursor. Consumes nothing. */
export function* beginsTurnOfOther(input: Input): Parsing<boolean> {
  return (yield* markerAt(input, TURNS)) !== undefined;
}

/**
 * Consumes the given markers at the cursor, in order, with the white space between them; models repeat some.
 * @returns the last one with a fixed text that stood there
 */
export function* skipMarkers(
  input: Input,
  markers: readonly (string | RegExp)[] = [],
): Parsing<string | undefined> {
  let last: string | undefined;
  for (const marker of markers) {
    yield* skipWhitespace(input);
    if (typeof marker !== 'string') {
      yield* readRun(input, marker);
    } else {
      while (marker !== '' && (yield* skipLiteral(input, marker))) {
        last = marker;
      }
    }
  }
  return last;
}

function* markerAt(input: Input, { markers, heads }: MarkerSet): Parsing<string | undefined> {
  if (heads.has(yield* peekText(input, HEAD_LENGTH))) {
    for (const marker of markers) {
      if (yield* startsWith(input, marker)) {
        return marker;
      }
    }
  }
  return undefined;
}

function markerSet(markers: readonly string[]): MarkerSet {
  return { markers, heads: new Set(markers.map((marker) => marker.slice(0, HEAD_LENGTH))) };
}
