import { expect, it } from '@jest/globals';
import { CORRUPT } from './sqlite.js';
import { tryTwice } from './versioned-file.js';

/** What became of a work whose tries fail with these codes of SQLite, and how often its file was closed. */
function outcomeOf(...codes: readonly number[]): [outcome: unknown, closed: number] {
  const left = [...codes];
  let closed = 0;
  const work = (): string => {
    const errcode = left.shift();
    if (errcode !== undefined) {
      throw Object.assign(new Error(), { errcode });
    }
    return 'done';
  };
  try {
    return [tryTwice(work, () => (closed += 1)), closed];
  } catch (error) {
    return [(error as { errcode?: number }).errcode, closed];
  }
}

const DISK_FAULT = 10;

it.each([
  [[], 'done', 0],
  [[CORRUPT], 'done', 1],
  [[CORRUPT, CORRUPT], CORRUPT, 1],
  [[CORRUPT, DISK_FAULT], DISK_FAULT, 1],
  [[DISK_FAULT], DISK_FAULT, 0],
])('takes a file for damaged only where a new connection does, too: %j', (codes, outcome, closed) => {
  expect(outcomeOf(...codes)).toEqual([outcome, closed]);
});
