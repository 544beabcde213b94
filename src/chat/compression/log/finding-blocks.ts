/** A line that says where the finding above it is: `  --> src/a.rs:4:27`. */
const PLACE = /^[ \t]{0,8}(?:-->|╭─\[|┌─) ?[^ ].{0,300}:\d{1,7}:\d{1,7}\]?$/;

/** A line of the source at that place, or marks below it that say nothing: `12 | let x;`, `   |     ^^^`. */
const SNIPPET = /^[ \t]{0,8}(?:\d{1,7}[ \t]{0,4}[|│]|[|│][ \t^~_-]{0,400}$)/;

/** Alarms, and other findings, of which the source is shown, and lines of source below one. */
const WITH_SOURCE = 5;
const MAX_SOURCE = 40;

/** Findings whose places are kept. */
const MAX_FINDINGS = 200;

export function isPlaceBelow(line: string): boolean {
  return PLACE.test(line.slice(0, 400));
}

/** Whether a line shows the source at a place. */
export function isSnippet(line: string): boolean {
  return SNIPPET.test(line.slice(0, 420));
}

/** The lines with each place in front of what is found there, as other programs print it: `src/a.rs:4:27: error: …`. */
export function withPlacesInFront(lines: readonly string[]): string[] {
  return lines.flatMap((line, at) => {
    const below = lines[at + 1] ?? '';
    if (isPlaceBelow(line)) {
      return at === 0 ? [line] : [];
    }
    return isPlaceBelow(below) ? [`${below.replace(/^[^\w/.]{1,20}|\]$/g, '')}: ${line.trim()}`] : [line];
  });
}

/** Lines of findings that stand in blocks, as compilers and linters print them for people. */
export interface FindingBlocks {
  /** What each finding says, its place, and the source at the first places of alarms and of others. */
  readonly told: readonly number[];
  /** Source at the other places: the place tells where to read it. */
  readonly source: readonly number[];
}

/** @param isAlarm whether a line says that something is wrong: errors are looked for among many warnings */
export function findingBlocks(lines: readonly string[], isAlarm: (line: number) => boolean): FindingBlocks {
  const places = [...lines.keys()].filter(
    (line) => line > 0 && PLACE.test((lines[line] ?? '').slice(0, 400)),
  );
  const [alarms = [], others = []] = [true, false].map((alarm) =>
    places.filter((place) => isAlarm(place - 1) === alarm),
  );
  const sourceBelow = (place: number): number[] => {
    const below = lines.slice(place + 1, place + 1 + MAX_SOURCE);
    const end = below.findIndex((line) => line.trim() === '' || PLACE.test(line.slice(0, 400)));
    const own = end < 0 ? below : below.slice(0, end);
    return own.flatMap((line, index) => (isSnippet(line) ? [place + 1 + index] : []));
  };
  const sourcesOf = (pick: (of: readonly number[]) => readonly number[]): number[] =>
    [...pick(alarms), ...pick(others)].flatMap(sourceBelow);
  return {
    told: [
      ...places.slice(0, MAX_FINDINGS).flatMap((place) => [place - 1, place]),
      ...sourcesOf((of) => of.slice(0, WITH_SOURCE)),
    ],
    source: sourcesOf((of) => of.slice(WITH_SOURCE)),
  };
}
