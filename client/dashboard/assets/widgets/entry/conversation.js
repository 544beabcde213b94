import { count, percent, plural } from '../../data/format.js';
import { sentPart } from '../../data/repeat-request.js';
import { h } from '../kit/dom.js';
import { words } from '../kit/labels.js';
import { longText } from '../kit/long-text.js';
import { cutNotice, isCut, keptText } from './kept-texts.js';

/** Messages of a long conversation shown at once; those between are unfolded on demand. */
const FIRST_SHOWN = 2;
const LAST_SHOWN = 10;
/** Characters of a folded message in its line, which is cut to what there is room for. */
const EXCERPT = 200;

/** The conversation, or what a refused request brought, or the reason why there are no texts. */
export function conversation(entry) {
  const { content, sent } = entry;
  if (sent) {
    return sentView(entry);
  }
  if (!content) {
    return h('section', null, h('h3', null, 'Conversation'), h('p', { class: 'quiet' }, whyNoTexts(entry)));
  }
  const { messages, omittedMessages = 0, toolNames = [] } = content;
  return h(
    'section',
    null,
    h('h3', null, 'Conversation'),
    isCut(entry) && cutNotice(),
    h('div', { class: 'messages' }, messageList(messages, omittedMessages)),
    toolNames.length > 0 && offeredTools(toolNames, content.texts?.tools),
  );
}

/** What a refused request brought, which is no conversation yet. */
function sentView(entry) {
  const { sent } = entry;
  const part = sentPart(sent);
  const size = sent.bytes === undefined ? '' : `${plural(sent.bytes, 'byte')}.`;
  return h(
    'section',
    null,
    h('h3', null, 'What was sent'),
    isCut(entry) && cutNotice(),
    h('div', { class: 'message' }, longText(sent.text, 'What was sent')),
    h('p', { class: 'quiet' }, part ? `The ${part}.` : size),
  );
}

/** The tools that the caller offered: their definitions if they are kept, else their names. */
function offeredTools(names, definitions) {
  return h(
    'details',
    { class: 'offered' },
    h('summary', null, `${plural(names.length, 'tool')} offered`),
    definitions
      ? longText(JSON.stringify(definitions, null, 2), 'Tools')
      : h('p', { class: 'mono' }, names.join(', ')),
  );
}

function whyNoTexts({ queuedMs, outcome, model, error }) {
  if (outcome === 'pending' && model === undefined) {
    return 'The request is still being received.';
  }
  if (error?.reason === 'key_limited') {
    return 'The log has no texts of this request: it was refused before it was read.';
  }
  return queuedMs === undefined && ['ok', 'client_error'].includes(outcome)
    ? 'The log has no texts of this request: it did not go upstream.'
    : 'No texts are kept of this request (setting LOG_CONTENT).';
}

/** Messages with the gap of a preview, which always follows its first two. */
function messageList(messages, omitted) {
  const gap = omitted > 0 && h('p', { class: 'gap' }, `${plural(omitted, 'message')} left out of the log`);
  const first = messages.slice(0, FIRST_SHOWN).map(messageView);
  const rest = messages.slice(FIRST_SHOWN);
  const folded = rest.slice(0, Math.max(0, rest.length - LAST_SHOWN));
  const last = rest.slice(folded.length).map(messageView);
  return [first, gap, folded.length > 0 && unfoldable(folded), last];
}

function unfoldable(messages) {
  const button = h(
    'button',
    { type: 'button', class: 'small' },
    `Show ${plural(messages.length, 'more message')}`,
  );
  button.addEventListener('click', () => button.replaceWith(...messages.map(messageView)));
  return button;
}

function messageView(message) {
  const { role, content, chars, toolCalls = [] } = message;
  if (role === 'tool' && content !== '') {
    return toolResultView(message);
  }
  return h(
    'div',
    { class: `message role-${['system', 'user', 'assistant', 'tool'].includes(role) ? role : 'other'}` },
    h('p', { class: 'message-role' }, sender(message)),
    content !== '' && keptText(content, chars, `Message of ${role}`),
    toolCalls.map((call) => toolCallView(call)),
  );
}

/** The result of a tool, folded to a line: results are long, many, and mostly of turns before. */
function toolResultView(message) {
  const { content, chars = content.length } = message;
  const [firstLine] = content.trimStart().split('\n', 1);
  return h(
    'details',
    { class: 'message role-tool' },
    h(
      'summary',
      { class: 'message-role' },
      sender(message),
      h('span', { class: 'quiet' }, ` · ${plural(chars, 'character')} · ${firstLine.slice(0, EXCERPT)}`),
    ),
    keptText(content, chars, 'Message of tool'),
  );
}

function sender({ role, toolCallId }) {
  return [
    h('strong', null, role),
    toolCallId !== undefined && h('span', { class: 'quiet mono' }, ` answers ${toolCallId}`),
  ];
}

function toolCallView({ id, name, arguments: json, chars, repairs = [] }) {
  return h(
    'div',
    { class: 'tool-call' },
    h(
      'p',
      null,
      h('strong', { class: 'mono' }, name),
      h('span', { class: 'quiet mono' }, ` ${id}`),
      repairs.map((repair) => [' ', h('span', { class: 'tag' }, `mended: ${words(repair)}`)]),
    ),
    json !== undefined && keptText(json, chars, `Arguments of ${name}`),
  );
}

/** Tool calls of the answer, with their repairs. */
export function toolCallsOf({ toolCalls = [], repeatedCall }) {
  if (toolCalls.length === 0 && !repeatedCall) {
    return undefined;
  }
  return h(
    'section',
    null,
    h('h3', null, 'Tool calls'),
    repeatedCall &&
      h(
        'p',
        { class: 'warn-text' },
        `The same call of ${repeatedCall.name} was made ${count(repeatedCall.times)} times in a row.`,
      ),
    toolCalls.map((call) => toolCallView(call)),
  );
}

/** Tool results that were sent upstream condensed. */
export function condensedOf({ condensed = [] }) {
  if (condensed.length === 0) {
    return undefined;
  }
  return h('section', null, h('h3', null, 'Condensed'), condensed.map(condensedView));
}

function condensedView({ message, tool, rules, before, after, content }) {
  const line = [
    h('strong', { class: 'mono' }, tool),
    ` in message ${message + 1}: ${count(before)} → ${count(after)} characters `,
    h('span', { class: 'saved' }, `(−${percent(before > 0 ? 1 - after / before : 0)}) `),
    rules.map((rule) => [h('span', { class: 'tag' }, rule), ' ']),
  ];
  if (!content) {
    return h('p', null, line);
  }
  return h(
    'details',
    { class: 'condensed' },
    h('summary', null, line),
    h(
      'div',
      { class: 'before-after' },
      h('div', null, h('h4', null, 'Before'), keptText(content.before, before, `${tool} before`)),
      h('div', null, h('h4', null, 'After'), keptText(content.after, after, `${tool} after`)),
    ),
  );
}
