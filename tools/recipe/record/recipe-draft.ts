import { type WatchedRequest } from '../watched-request.js';
import { type AnswerChoice, isFillable } from './answer-choice.js';
import { type AnswerPlace } from './page-looks.js';
import { type DraftStep, type RecordedChat } from './recorded-chat.js';

/** A first recipe, and notes for its author on the parts to check. */
export interface RecipeDraft {
  readonly recipe: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

const ORIGIN = '{{site.origin}}';
/** Path segments that are ids, e.g. a UUID, a long number or a token. */
const ID = /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|\d{4,}|(?=[\w-]*\d)[\w-]{20,})$/i;

/** Selectors that fit nothing and say what belongs in their place. */
const PAGE_CAPTURE = {
  mode: 'dom',
  answer: '.the-element-of-the-answer',
  busy: '.an-element-that-shows-while-it-is-written',
  format: 'markdown',
};
/** Stands where the event that ends an answer could not be told; its name fits none. */
const UNKNOWN_END = [{ event: 'the-event-that-ends-an-answer' }];

/**
 * Drafts a recipe from a recorded chat. The draft passes the loader's check.
 * @param choice undefined if no request brought the answer: the draft then reads the page
 * @param shown where the page showed the answer
 */
export function draftRecipe(
  chat: RecordedChat,
  choice: AnswerChoice | undefined,
  requests: readonly WatchedRequest[],
  shown: AnswerPlace = {},
): RecipeDraft {
  const { origin, hostname } = new URL(chat.newChat.url);
  const place = (url: string): string => withPlace(url, origin);
  const { login, modelSelect } = chat;
  const { allowed, left } = origins(requests, origin);
  const recipe = {
    $schema: '../docs/site-recipe.schema.json',
    name: hostname,
    authorised: {
      by: 'name who allows the automation of this site',
      note: 'say on what ground, e.g. our own server, or a contract',
    },
    origin,
    allowedOrigins: [ORIGIN, ...allowed],
    login: draftLogin(chat, place),
    ...(chat.dismiss.length > 0 && { dismiss: chat.dismiss }),
    newChat: {
      url: place(chat.newChat.url),
      ...(chat.newChat.steps.length > 0 && { steps: chat.newChat.steps }),
      ready: chat.input,
    },
    ...(modelSelect !== undefined && {
      model: [{ action: 'select', selector: modelSelect, value: '{{model}}' }],
    }),
    prompt: { input: chat.input, method: inputMethod(chat, choice) },
    send: [chat.send],
    capture: choice ? draftCapture(choice, origin) : { ...PAGE_CAPTURE, ...shown },
    signs: {
      loginWall: {
        response: [{ status: 401 }],
        ...(login && { page: [{ selector: login.password }] }),
      },
    },
  };
  const captured = choice ? captureNotes(choice) : pageNotes(shown);
  return { recipe, notes: draftNotes(chat, captured, left) };
}

function draftLogin({ login, input }: RecordedChat, place: (url: string) => string): object {
  const steps = login ? [{ action: 'goto', url: place(login.url) }, ...login.steps.map(placed(place))] : [];
  return { steps, success: { selector: input } };
}

/** An editor may lose line breaks: where the prompt leaves in a text that can be filled, it goes in there. */
function inputMethod({ isRich, prompt }: RecordedChat, choice: AnswerChoice | undefined): string {
  if (!isRich) {
    return 'fill';
  }
  const carrier = choice?.promptRequest ?? choice?.answer.request;
  return carrier && isFillable(carrier, prompt) ? 'request' : 'paste';
}

function draftCapture({ answer, promptRequest }: AnswerChoice, origin: string): object {
  const { request, format, guess } = answer;
  const { facts, contentType } = request;
  const transport = answer.isSocketIo
    ? 'socketio'
    : { WebSocket: 'websocket', EventSource: 'eventsource' }[facts.type];
  const match = ({ facts: { url, method } }: WatchedRequest): object => ({
    url: pattern(url, origin),
    method,
  });
  const usualType = {
    sse: 'text/event-stream',
    'sse-text': 'text/event-stream',
    ndjson: '',
    json: 'application/json',
    objects: '',
    text: 'text/plain',
  }[format];
  const isUsual = transport !== undefined || contentType === '' || contentType.startsWith(usualType);
  return {
    mode: transport || facts.isWorker ? 'observe' : 'replay',
    ...(transport && { transport }),
    request: answer.isSocketIo ? { url: pattern(facts.url.replace(/^ws/, 'http'), origin) } : match(request),
    ...(promptRequest && { promptRequest: match(promptRequest) }),
    format,
    delivery: guess.delivery,
    ...(!isUsual && { contentType: contentType.split(';', 1)[0] }),
    answer: { ...(answer.isSocketIo && { done: UNKNOWN_END }), ...guess.answer },
  };
}

function draftNotes(chat: RecordedChat, captured: readonly string[], left: readonly string[]): string[] {
  return [
    'authorised: say who allows the automation of this site, and on what ground.',
    ...(chat.login
      ? ['login.failure: add the message that the site shows when the password is wrong.']
      : ['login: none was seen; add its steps if the site asks for one.']),
    ...(chat.newChat.steps.length > 0
      ? ['newChat.steps: keep only the clicks that lead to a new chat.']
      : []),
    `newChat.url: check that ${new URL(chat.newChat.url).pathname} begins a new conversation each time.`,
    chat.modelSelect === undefined
      ? 'model: add the steps that choose {{model}}, if the site has several.'
      : `model: check that ${chat.modelSelect} is where the model is chosen.`,
    'thinking: add the steps that turn reasoning on and off, if the site can.',
    ...captured,
    'signs: add how a rate limit, a prompt that is too long, an overload and a challenge look.',
    ...(left.length > 0 ? [`allowedOrigins: left out ${left.join(', ')}; add what the site needs.`] : []),
  ];
}

function pageNotes({ answer, busy }: AnswerPlace): string[] {
  return [
    'capture: no request was seen that brought the answer, so the draft reads the page; see “By transport” in the docs.',
    answer === undefined
      ? 'capture.answer: name the element of the answer, e.g. .message.assistant .content.'
      : `capture.answer: check that ${answer} fits answers alone.`,
    busy === undefined
      ? 'capture.busy: name an element that is there exactly while the site answers, e.g. its stop button.'
      : `capture.busy: check with a long answer that ${busy} is there exactly while the site answers.`,
    'capture.stream: set it to false if answers with code fail with garbled_answer.',
  ];
}

function captureNotes({ answer: { guess, request, isSocketIo } }: AnswerChoice): string[] {
  return [
    ...(guess.found === 0
      ? ['capture.answer.content: guessed by its name, since nothing of it was found on the page.']
      : []),
    ...(guess.reasoning === ''
      ? ['capture.answer.reasoning: none was seen; record again with reasoning on.']
      : []),
    ...(guess.answer.done === undefined
      ? ['capture.answer.done: say how a complete answer ends, so that a cut one is not taken for one.']
      : []),
    ...(isSocketIo
      ? ['capture.answer: check with a long answer which events begin and end it; see `bind` in the docs.']
      : []),
    ...(request.facts.type === 'WebSocket' && !isSocketIo
      ? ['capture.request.url: the address of the socket stands as it is.']
      : []),
  ];
}

/** Foreign origins that the pages used: those of the same site, and the rest. */
function origins(requests: readonly WatchedRequest[], own: string): { allowed: string[]; left: string[] } {
  const site = siteOf(own);
  const found = new Set(requests.map(({ facts }) => new URL(facts.url.replace(/^ws/, 'http')).origin));
  found.delete(own);
  const all = [...found];
  return {
    allowed: all.filter((origin) => siteOf(origin) === site),
    left: all.filter((origin) => siteOf(origin) !== site),
  };
}

/** The last two labels of a host name; of addresses, all with the port. */
function siteOf(origin: string): string {
  const { host, hostname } = new URL(origin);
  return /[a-z]$/i.test(hostname) && hostname.includes('.') ? hostname.split('.').slice(-2).join('.') : host;
}

function placed(place: (url: string) => string): (step: DraftStep) => DraftStep {
  return (step) => (typeof step.url === 'string' ? { ...step, url: place(step.url) } : step);
}

/** The URL with a placeholder for its origin, without query and fragment, which belong to one visit. */
function withPlace(url: string, origin: string): string {
  const parsed = new URL(url);
  return (parsed.origin === origin ? ORIGIN : parsed.origin) + parsed.pathname;
}

/** A URL pattern for requests of the same kind, with `*` for ids and queries. */
function pattern(url: string, origin: string): string {
  const { pathname, search, protocol, host } = new URL(url);
  const path = pathname
    .split('/')
    .map((part) => (ID.test(part) ? '*' : part))
    .join('/');
  const from = `${protocol}//${host}`;
  return `${from === origin ? ORIGIN : from}${path}${search ? '*' : ''}`;
}
