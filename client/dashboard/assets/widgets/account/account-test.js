import { send } from '../../data/api.js';
import { duration } from '../../data/format.js';
import { serverNow } from '../../data/server-clock.js';
import { fill, h } from '../kit/dom.js';
import { words } from '../kit/labels.js';
import { requestLink } from '../kit/request-link.js';
import { timeAgo } from '../kit/ticker.js';

/** A little more than the gateway takes at most. */
const LIMIT_MS = 70_000;

/** Has the gateway ask an account for an answer, and shows what came of it in `place`. @param {string} path of the account */
export async function testAccount(path, place) {
  fill(place, h('p', { class: 'quiet' }, 'It is asked for one word ...'));
  try {
    const { body } = await send('POST', `${path}/test`, undefined, {}, LIMIT_MS);
    fill(place, testResult(body));
  } catch (error) {
    fill(place, null);
    throw error;
  }
}

function testResult({ outcome, message, model, firstAnswerMs, totalMs, requestId }) {
  const isOk = outcome === 'ok';
  const began = isOk && `${model} began after ${duration(firstAnswerMs)}`;
  return h(
    'div',
    { class: `trouble ${isOk ? 'ok' : 'bad'}` },
    h('strong', null, isOk ? `Test: answered in ${duration(totalMs)}` : `Test failed: ${words(outcome)}`),
    h('span', null, began || `${model}, after ${duration(totalMs)}`),
    h('span', null, timeAgo(serverNow())),
    message && h('span', { class: 'cause' }, message),
    h('span', { class: 'cause' }, requestLink({ id: requestId }, 'Open it in the log')),
  );
}
