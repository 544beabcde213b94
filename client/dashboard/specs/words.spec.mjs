import { expect, it } from '@jest/globals';
import { CORRECTION_ACTIONS, CORRECTION_CAUSES } from '../../../src/logs/records/request-log-entry.js';
import { ACTIONS, CAUSES } from '../assets/widgets/kit/labels.js';

it.each([
  ['what an answer was rejected for', CAUSES, CORRECTION_CAUSES],
  ['what came of a rejected answer', ACTIONS, CORRECTION_ACTIONS],
])('has a text for every word of %s', (_what, texts, words) => {
  expect(Object.keys(texts).toSorted()).toEqual(words.toSorted());
});
