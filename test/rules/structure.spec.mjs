import { describe, expect, it } from '@jest/globals';
import { root } from '../../scripts/lib/processes.mjs';
import { measureStructure } from '../../scripts/lib/structure.mjs';

/** More files than a reader takes in at a glance. */
const MAX_FILES = 25;

/** A function that does not fit on a screen. */
const MAX_FUNCTION_LINES = 60;

describe('the layout of the code', () => {
  const { folders, siblingCycles, doubleExports, functions } = measureStructure(root);

  it(`has no folder with more than ${MAX_FILES} files, specs included`, () => {
    expect(folders.filter(([, files]) => files > MAX_FILES)).toEqual([]);
  });

  it('has no two sibling folders that import each other', () => {
    expect(siblingCycles).toEqual([]);
  });

  it('exports no name twice', () => {
    expect(doubleExports).toEqual([]);
  });

  it(`has no function of more than ${MAX_FUNCTION_LINES} lines`, () => {
    expect(functions.filter(([lines]) => lines > MAX_FUNCTION_LINES)).toEqual([]);
  });
});
