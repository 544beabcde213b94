import { getJson } from '../data/api.js';
import { FieldError, toChatBody, toChatFields } from '../data/chat/chat-body.js';
import { callChat } from '../data/chat/chat-call.js';
import { SAMPLE_TOOL, SANDBOX_MARKERS } from '../data/chat/sandbox-markers.js';
import { connection } from '../data/connection.js';
import { fetchRequest } from '../data/fetch-record.js';
import { readFilters } from '../data/filters.js';
import { repeatBody, repeatLosses } from '../data/repeat-request.js';
import { AnswerView } from '../widgets/answer/answer-view.js';
import { choose } from '../widgets/kit/choose.js';
import { copyButton } from '../widgets/kit/copy.js';
import { byId, fill, h } from '../widgets/kit/dom.js';
import { emptyState, errorState, startShell } from '../widgets/shell/shell.js';

const form = byId('chat');
const { elements } = form;
const TEXTS = ['system', 'prompt', 'tools', 'parameters', 'earlier'];

let running;
let latest;
/** Whether the page has not begun, or could not. */
let isUnstarted = true;
/** What the log does not have of the request that the form was filled with. @type {readonly string[]} */
let losses = [];

/** Sends what the form says, and shows the answer as it comes. */
async function ask() {
  const body = bodyOfForm();
  if (!body) {
    return;
  }
  running = new AbortController();
  const hadFocus = document.activeElement === byId('send');
  showRunning();
  // A disabled button loses the focus, and a hidden one.
  if (hadFocus) {
    byId('stop').focus();
  }
  const view = new AnswerView();
  fill(byId('answer'), view.element);
  fill(byId('answer-tools'));
  const answer = await callChat(body, {
    signal: running.signal,
    onChange: (growing) => view.show(growing),
  });
  running = undefined;
  latest = { body, answer };
  const isAtStop = document.activeElement === byId('stop');
  showRunning();
  if (isAtStop) {
    byId('send').focus();
  }
  fill(byId('answer-tools'), answer.text !== '' && copyButton('Copy', () => answer.text));
}

/** The body; undefined after a problem was shown at its field. */
function bodyOfForm() {
  byId('problem').textContent = '';
  TEXTS.forEach((name) => elements[name].removeAttribute('aria-invalid'));
  try {
    const texts = Object.fromEntries(TEXTS.map((name) => [name, elements[name].value]));
    const { model, reasoning, stream } = elements;
    return toChatBody({ ...texts, model: model.value, reasoning: reasoning.value, stream: stream.checked });
  } catch (error) {
    if (!(error instanceof FieldError)) {
      throw error;
    }
    const field = elements[error.field];
    byId('more').open ||= byId('more').contains(field);
    field.setAttribute('aria-invalid', 'true');
    field.focus();
    byId('problem').textContent = error.message;
    return undefined;
  }
}

function showRunning() {
  byId('send').disabled = running !== undefined;
  byId('stop').hidden = running === undefined;
  byId('follow-up').hidden = running !== undefined || !latest || latest.answer.error !== undefined;
}

/** Makes the answer a part of the conversation; each call gets a place for its result. */
function followUp() {
  const { body, answer } = latest;
  const calls = answer.calls.map(({ id, name, arguments: json }) => ({
    id,
    type: 'function',
    function: { name, arguments: json },
  }));
  const messages = [
    ...body.messages,
    { role: 'assistant', content: answer.text, ...(calls.length > 0 && { tool_calls: calls }) },
    ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'The result of the call.' })),
  ];
  showFields(toChatFields({ ...body, messages }));
  latest = undefined;
  showRunning();
  elements[calls.length > 0 ? 'earlier' : 'prompt'].focus();
}

function showFields(fields) {
  for (const name of TEXTS) {
    elements[name].value = fields[name];
  }
  choose(elements.model, fields.model);
  choose(elements.reasoning, fields.reasoning);
  elements.stream.checked = fields.stream;
  byId('more').open = [fields.tools, fields.parameters, fields.earlier].some((text) => text !== '');
}

function markerButtons() {
  const buttons = SANDBOX_MARKERS.map(({ name, marker, about }) => {
    const button = h('button', { type: 'button', class: 'small', title: `${about}: ${marker}` }, name);
    button.addEventListener('click', () => addMarker(marker));
    return button;
  });
  const title = h('p', { class: 'quiet', id: 'markers-title' }, 'Make the sandbox …');
  return [title, h('div', { class: 'markers', role: 'group', 'aria-labelledby': 'markers-title' }, buttons)];
}

function addMarker(marker) {
  const { prompt, tools } = elements;
  prompt.value = `${prompt.value}${prompt.value === '' ? '' : ' '}${marker}`;
  if (marker.startsWith('[[call:') && tools.value.trim() === '') {
    tools.value = JSON.stringify([SAMPLE_TOOL], null, 2);
    byId('more').open = true;
  }
  prompt.focus();
}

/** Fills the form with a request of the log (`?id=`). */
async function showLogged() {
  const { id } = readFilters(location.search, ['id']);
  if (id !== undefined) {
    const { entry } = await fetchRequest(id);
    showFields(toChatFields(repeatBody(entry)));
    losses = entry.content ? repeatLosses(entry) : [];
  }
}

function nothingYet() {
  return losses.length === 0
    ? emptyState('No answer yet', 'Write a message and send it.')
    : emptyState('No answer yet', `This is not the whole request: ${losses.join('; ')}.`);
}

async function start() {
  if (!isUnstarted) {
    return;
  }
  isUnstarted = false;
  try {
    const { models, provider } = await getJson('/dashboard/api/models');
    elements.model.replaceChildren(...models.map((id) => new Option(id, id)));
    if (provider === 'sandbox') {
      fill(byId('markers'), markerButtons()).hidden = false;
    }
    await showLogged();
    if (!running && !latest) {
      fill(byId('answer'), nothingYet());
    }
  } catch (error) {
    isUnstarted = true;
    fill(
      byId('answer'),
      errorState(error, () => void start()),
    );
  }
}

startShell();
fill(byId('answer'), nothingYet());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void ask();
});
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !running) {
    event.preventDefault();
    void ask();
  }
});
byId('stop').addEventListener('click', () => running?.abort());
byId('follow-up').addEventListener('click', followUp);
connection.addEventListener('up', () => void start());
void start();
