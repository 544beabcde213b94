import { send } from '../../data/api.js';
import { count } from '../../data/format.js';
import { h } from '../kit/dom.js';
import { longText } from '../kit/long-text.js';

/** Minutes for which an operator who looks for a fault has full texts kept. */
const MINUTES = 15;
/** Characters that are kept at most of what a refused request brought, however much is asked for. */
const MOST_SENT = 2 ** 16;

/**
 * A text of the log, with a note if it is kept in part.
 *
 * @param {string} text
 * @param {number | undefined} chars whole length of a text that is kept in part
 * @param {string} label
 */
export function keptText(text, chars, label) {
  const box = longText(text, label);
  const note = partNote(text, chars);
  return note ? h('div', { class: 'cut-text' }, box, note) : box;
}

/** Says how much of a text is kept; undefined if it is whole. */
export function partNote(text, chars) {
  return chars === undefined || chars <= text.length
    ? undefined
    : h('p', { class: 'quiet' }, `First ${count(text.length)} of ${count(chars)} characters.`);
}

/** Whether any text of a request is kept in part, or only the names of its tools. */
export function isCut({ content, sent, toolCalls = [], condensed = [] }) {
  const { messages = [], omittedMessages = 0, reasoningChars, answerChars, toolNames, texts } = content ?? {};
  const isPart = ({ chars }) => chars !== undefined;
  return (
    (sent?.isCut === true && sent.text.length < MOST_SENT) ||
    omittedMessages > 0 ||
    reasoningChars !== undefined ||
    answerChars !== undefined ||
    (toolNames !== undefined && texts?.tools === undefined) ||
    messages.some((message) => isPart(message) || (message.toolCalls ?? []).some(isPart)) ||
    toolCalls.some(isPart) ||
    condensed.some((one) => one.content !== undefined && one.content.before.length < one.before)
  );
}

/** Says that texts are cut, and offers to keep those of new requests whole for a time. */
export function cutNotice() {
  const said = h('span', { role: 'status' }, 'The log keeps a preview of these texts (LOG_CONTENT).');
  const button = h(
    'button',
    { type: 'button', class: 'small for-operators' },
    `Keep full texts for ${MINUTES} minutes`,
  );
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      await send('POST', '/dashboard/api/full-texts', { minutes: MINUTES });
      said.textContent = `Texts of requests that begin within ${MINUTES} minutes are kept whole. Send this one again.`;
      button.remove();
    } catch (error) {
      said.textContent = error.message;
      button.disabled = false;
    }
  });
  return h('div', { class: 'notice cut' }, said, button);
}
