import { AnswerView, showUserMessage } from './message-view.js';
import { openTransport } from './transport.js';

const byId = (id) => document.getElementById(id);
const meta = (name) => document.querySelector(`meta[name="${name}"]`).content;

const features = JSON.parse(meta('site-features'));
const csrfToken = meta('csrf-token');
const transport = openTransport(features.transport, csrfToken);
const prompt = byId('prompt');
const attachment = byId('attachment');

/** Id of the conversation; the server gives it with the first event. */
let conversationId = null;
/** The running answer, or undefined. */
let running;
let scrolling;

async function send() {
  const text = prompt.value;
  if (running || text.trim() === '') {
    return;
  }
  const request = {
    conversation_id: conversationId,
    message_id: crypto.randomUUID(),
    model: byId('model').value,
    thinking: byId('thinking').checked,
    prompt: features.prompt_limit > 0 ? text.slice(0, features.prompt_limit) : text,
  };
  const answer = { messageId: request.message_id, conversationId, lastSeq: -1, isStopped: false };
  setRunning(answer);
  hideBanners();
  try {
    request.attachments = await readFiles(attachment.files);
  } catch {
    setRunning(undefined);
    showError('A file cannot be read.');
    return;
  }
  prompt.value = '';
  attachment.value = '';
  showAttachmentNames();
  byId('empty').hidden = true;
  showUserMessage(byId('messages'), text);
  await receive(answer, request);
}

async function receive(answer, request) {
  answer.view = new AnswerView(byId('messages'), features);
  let state = 'broken';
  try {
    const refusal = await transport.ask(request, (event) => {
      if (answer === running && !answer.isStopped) {
        state = take(event, answer, state);
      }
    });
    if (refusal) {
      showRefusal(refusal);
    } else if (state === 'broken' && !isBannerShown() && !answer.isStopped) {
      showError('The answer broke off.');
    }
  } catch {
    showError('The connection broke.');
  }
  if (answer === running) {
    answer.view.end(answer.isStopped ? 'stopped' : state);
    setRunning(undefined);
  }
}

/** Shows one event of the answer and returns the answer's state after it. */
function take(event, answer, state) {
  if (event.type === 'start') {
    conversationId = event.conversation_id;
    answer.conversationId = conversationId;
  } else if (event.conversation_id !== conversationId && event.type !== 'error') {
    return state;
  } else if (event.type === 'text' || event.type === 'reasoning') {
    if (event.seq > answer.lastSeq) {
      answer.lastSeq = event.seq;
      answer.view.add(event);
    }
    scrollSoon();
  } else if (event.type === 'error') {
    showFailure(event.code, event.message, event.retry_after_seconds);
  } else if (event.type === 'done') {
    return 'done';
  }
  return state;
}

/** Scrolls to the end once per frame, since scrolling forces a layout. */
function scrollSoon() {
  scrolling ??= requestAnimationFrame(() => {
    scrolling = undefined;
    byId('scroll').scrollTop = byId('scroll').scrollHeight;
  });
}

function stop() {
  if (!running) {
    return;
  }
  if (features.stop === 'server') {
    void transport.stop({ conversation_id: running.conversationId, message_id: running.messageId });
  }
  running.isStopped = true;
  running.view?.end('stopped');
  setRunning(undefined);
}

function newChat() {
  stop();
  conversationId = null;
  byId('messages').replaceChildren();
  byId('empty').hidden = false;
  hideBanners();
  prompt.focus();
}

/** Shows a response in place of a stream: an error, a limit, the login page or a challenge. */
function showRefusal({ status, retryAfter, type, body }) {
  if (type.startsWith('text/html')) {
    if (status === 200 && !body.includes('id="login"')) {
      showError('The server answered with a page in place of an answer.');
    } else {
      location.reload();
    }
    return;
  }
  const content = parseJson(body);
  if (content.limited) {
    showFailure('rate_limited', content.message, content.retry_after_seconds);
  } else {
    const { code = '', message = `The server answered with status ${status}.` } = content.error ?? {};
    showFailure(code, message, retryAfter);
  }
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function showFailure(code, message, seconds) {
  if (code === 'unauthenticated' || code === 'blocked') {
    location.reload();
    return;
  }
  const wait = seconds ? ` Try again in ${seconds} seconds.` : '';
  if (code === 'rate_limited') {
    byId('rate-limit').textContent = message + wait;
    byId('rate-limit').hidden = false;
  } else {
    showError(message + wait, code);
  }
}

function showError(message, code = '') {
  byId('error').dataset.code = code;
  byId('error').textContent = message;
  byId('error').hidden = false;
}

function isBannerShown() {
  return !byId('rate-limit').hidden || !byId('error').hidden;
}

function hideBanners() {
  byId('rate-limit').hidden = true;
  byId('error').hidden = true;
}

function setRunning(answer) {
  running = answer;
  byId('stop').hidden = !answer;
  byId('send').disabled = Boolean(answer);
}

function readFiles(files) {
  return Promise.all([...files].map(readFile));
}

async function readFile(file) {
  const { name, type } = file;
  return type.startsWith('image/')
    ? { name, type, base64: new Uint8Array(await file.arrayBuffer()).toBase64() }
    : { name, text: await file.text() };
}

function showAttachmentNames() {
  const names = [...attachment.files].map(({ name }) => {
    const shown = document.createElement('span');
    shown.className = 'attached';
    shown.textContent = name;
    return shown;
  });
  byId('attachment-name').replaceChildren(...(names.length > 0 ? names : ['Attach']));
  byId('attachment-name').dataset.empty = String(names.length === 0);
}

function comeAlive() {
  if (features.hydration_ms > 0) {
    prompt.value = '';
    attachment.value = '';
  }
  byId('composer').addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  prompt.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      void send();
    }
  });
  byId('stop').addEventListener('click', stop);
  byId('new-chat').addEventListener('click', newChat);
  attachment.addEventListener('change', showAttachmentNames);
}

function welcome() {
  if (features.welcome && !localStorage.getItem('welcomed')) {
    byId('welcome').addEventListener('cancel', (event) => event.preventDefault());
    byId('welcome').showModal();
  }
  byId('welcome-close').addEventListener('click', () => {
    localStorage.setItem('welcomed', 'yes');
    byId('welcome').close();
  });
}

byId('model').append(
  ...meta('site-models')
    .split(' ')
    .map((name) => new Option(name)),
);
welcome();
if (features.before_unload) {
  window.addEventListener('beforeunload', (event) => event.preventDefault());
}
// Until hydration the browser must not submit the form by itself.
byId('composer').addEventListener('submit', (event) => event.preventDefault());
if (features.hydration_ms > 0) {
  setTimeout(comeAlive, features.hydration_ms);
} else {
  comeAlive();
}
