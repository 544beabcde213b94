import { expect, it } from '@jest/globals';
import { cancelledText, causeText, reasonHint } from '../assets/data/reasons.js';

it.each([
  [{ totalMs: 1470, firstAnswerMs: undefined }, 'after 1.47 s, before the upstream began to answer.'],
  [{ totalMs: 1470, firstAnswerMs: 100 }, 'after 1.47 s, before any of the answer reached it.'],
  [{ totalMs: 1470, firstAnswerMs: 100, firstTokenMs: 120 }, 'after 1.47 s, within the answer.'],
])('of %j says when the caller left', (entry, when) => {
  expect(cancelledText(entry)).toBe(`The caller closed the connection ${when}`);
});

it.each([
  ['upstream_idle', 'The upstream fell silent within its answer.', undefined],
  ['upstream_error', 'The site answered with status 500.', 'The site answered with status 500.'],
  ['browser_failed', 'page_timeout', 'page timeout'],
  ['not_found', undefined, undefined],
])('of %s, says what lay behind it: %s', (reason, cause, text) => {
  expect(causeText({ reason, cause })).toBe(text);
});

it.each([
  ['key_limited', false, 'Raise the limits of the key on the page Keys, or wait for its next window.'],
  ['key_limited', true, 'The page “Your key” shows when it renews.'],
  ['login_lost', true, 'The operator of the gateway finds more by the id of this request.'],
  ['unsupported_media_type', true, undefined],
])('of %s, says what its reader can do (a caller: %s): %s', (reason, isForCaller, hint) => {
  expect(reasonHint(reason, isForCaller)).toBe(hint);
});
