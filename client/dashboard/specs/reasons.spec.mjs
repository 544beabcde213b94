import { expect, it } from '@jest/globals';
import { FAILURE_REASONS } from '../../../src/common/errors/failure-reasons.js';
import { REASON_CHOICES } from '../assets/data/reasons.js';

// The filter of the log offers them, so that a missing one could not be looked for.
it('has a text for every reason of a failure', () => {
  expect(REASON_CHOICES.map(([, reason]) => reason).toSorted()).toEqual(FAILURE_REASONS.toSorted());
});
