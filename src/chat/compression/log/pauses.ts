import { cellTime } from '../rows/cell-values.js';

/** Characters of a line in which its time is looked for, behind a bracket or not. */
const MAX_TIME_CHARS = 40;

/** Share of the lines that must begin with a time, and steps from one to the next from which on one can stand out. */
const MIN_TIMED = 0.5;
const MIN_STEPS = 24;

/** Pauses that are told, how often the next longest step the shortest of them is, and the least of it in seconds. */
const MAX_PAUSES = 3;
const MIN_TIMES = 5;
const MIN_SECONDS = 30;

/** Lines around the few pauses of a log that are far longer than all others: something hung, stopped or began anew. */
export function linesAtPauses(lines: readonly string[]): number[] {
  const times = lines.flatMap((line, at) => {
    const time = cellTime(line.slice(0, MAX_TIME_CHARS).replace('[', ''));
    return time === undefined ? [] : [{ at, time }];
  });
  const steps = times
    .slice(1)
    .map(({ at, time }, before) => ({
      before: times[before]?.at ?? 0,
      at,
      seconds: time - (times[before]?.time ?? 0),
    }))
    .sort((a, b) => b.seconds - a.seconds);
  if (steps.length < MIN_STEPS || times.length < lines.length * MIN_TIMED) {
    return [];
  }
  const least = Math.max((steps[MAX_PAUSES]?.seconds ?? 0) * MIN_TIMES, MIN_SECONDS);
  return steps
    .slice(0, MAX_PAUSES)
    .flatMap(({ seconds, before, at }) => (seconds >= least ? [before, at] : []));
}
