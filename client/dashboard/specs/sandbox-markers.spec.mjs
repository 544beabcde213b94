import { expect, it } from '@jest/globals';
import { isMarkersOnly } from '../../../src/sandbox/model/sandbox-script.js';
import { SANDBOX_MARKERS } from '../assets/data/chat/sandbox-markers.js';

it('offers markers that the sandbox knows', () => {
  expect(SANDBOX_MARKERS.filter(({ marker }) => !isMarkersOnly(marker))).toEqual([]);
});
