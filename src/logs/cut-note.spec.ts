import { expect, it } from '@jest/globals';
import { cutAt, cutNote } from './cut-note.js';

it('is read as it is written', () => {
  expect([cutAt(cutNote(1000)), cutAt('Another note.')]).toEqual([1000, undefined]);
});
