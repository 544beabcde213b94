import { expect, it } from '@jest/globals';
import { CHOICES as CHOICE_WORDS } from '../../../src/accounts/pool/account-selection.js';
import { FAILURE_REASONS } from '../../../src/common/errors/failure-reasons.js';
import { OUTCOMES as OUTCOME_WORDS } from '../../../src/logs/records/log-filter.js';
import { CORRECTION_ACTIONS, CORRECTION_CAUSES } from '../../../src/logs/records/request-log-entry.js';
import { REASON_CHOICES } from '../assets/data/reasons.js';
import { ACTIONS, CAUSES, CHOICES, OUTCOMES, stateText } from '../assets/widgets/kit/labels.js';

// A word without a text is shown as it stands. The filters of the log offer the texts, so that it could not be looked for.
const REASONS = Object.fromEntries(REASON_CHOICES.map(([text, reason]) => [reason, text]));

it.each([
  ['how a request ended', OUTCOMES, OUTCOME_WORDS],
  ['why a request failed', REASONS, FAILURE_REASONS],
  ['why an account was chosen or not', CHOICES, CHOICE_WORDS],
  ['what an answer was rejected for', CAUSES, CORRECTION_CAUSES],
  ['what came of a rejected answer', ACTIONS, CORRECTION_ACTIONS],
])('has a text for every word of %s', (_what, texts, words) => {
  expect(Object.keys(texts).toSorted()).toEqual(words.toSorted());
});

it.each([
  ['cooldown', 'cooling down'],
  ['a_new_state', 'a new state'],
])('names the state %s of an account as its badge does', (state, text) => {
  expect(stateText(state)).toBe(text);
});
