import { parsedJson } from '../../../common/text/parsed-json.js';
import { marksOf } from './earlier-prompts.js';
import { objectsIn } from './reading/object-splitter.js';

const SAMPLE_LENGTH = 200;
/** Share of the prompt's length that must be there; editors shorten white space, but not by more. */
const KEPT_SHARE = 0.9;
/** Behind each record of SignalR, and between the packets of engine.io. */
const RECORD_END = '\x1e';
/** Base64 as a whole, in either alphabet; shorter words are taken for what they are. */
const BASE64 = /^[\w+/-]{24,}={0,2}$/;
/** A URL-encoded form, e.g. `q=Say+hello&stream=1`. */
const FORM = /^[\w.%+*-]+=\S*$/;

/** Whether an outgoing body holds the prompt from its head to its tail, only a part, or another text made of it. */
export type PromptCheck = 'complete' | 'cut' | 'altered' | 'missing';

/**
 * Looks for the prompt's first and last 200 characters in one text of the body, which may be JSON, a form or plain. Some
 * sites silently send only a part of a long prompt, and answer that; others escape or leave out some of its characters,
 * and its longest runs of plain words stay.
 */
export function checkPrompt(body: string, prompt: string): PromptCheck {
  const wanted = normalise(prompt);
  const head = wanted.slice(0, SAMPLE_LENGTH);
  const tail = wanted.slice(-SAMPLE_LENGTH);
  const marks = marksOf(wanted);
  let result: PromptCheck = 'missing';
  for (const text of textsOf(body)) {
    const held = normalise(text);
    const start = held.indexOf(head);
    if (start >= 0) {
      const end = held.lastIndexOf(tail);
      if (end >= start && end + tail.length - start >= wanted.length * KEPT_SHARE) {
        return 'complete';
      }
      const rest = held.slice(start);
      const isShort = end >= start || rest.length < wanted.length * KEPT_SHARE || wanted.startsWith(rest);
      result = isShort ? 'cut' : 'altered';
    } else if (result === 'missing' && marks.some((mark) => held.includes(mark))) {
      result = 'altered';
    }
  }
  return result;
}

/** Whether a body or a record is likely to be bytes in Base64. */
export function looksLikeBase64(text: string): boolean {
  return BASE64.test(text);
}

/** Replaces a placeholder, escaped as its place in a body or text frame needs it; undefined if there is none. */
export function replaceInBody(body: string, placeholder: string, prompt: string): string | undefined {
  if (!body.includes(placeholder)) {
    return undefined;
  }
  const put = (text: string): string => putInText(text, placeholder, prompt);
  return FORM.test(body) ? mapFields(body, placeholder, put) : put(body);
}

/** The JSON in a text with something around it, as sites put their own kind of header before it, or an end behind it. */
export function withoutFrame(text: string): string {
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1;
  return text.slice(Math.max(0, text.search(/[[{]/)), end || undefined);
}

/** Replaces it in a text that may be JSON, whose strings may be JSON again, or records with JSON in a frame. */
function putInText(text: string, placeholder: string, prompt: string): string {
  if (!text.includes(placeholder)) {
    return text;
  }
  return isJson(text)
    ? mapStrings(text, (string) => putInText(string, placeholder, prompt))
    : text
        .split(RECORD_END)
        .map((record) => putInFrame(record, placeholder, prompt))
        .join(RECORD_END);
}

function putInFrame(record: string, placeholder: string, prompt: string): string {
  const json = withoutFrame(record);
  if (!json.includes(placeholder) || !isJson(json)) {
    return record.split(placeholder).join(prompt);
  }
  const start = record.indexOf(json);
  return record.slice(0, start) + putInText(json, placeholder, prompt) + record.slice(start + json.length);
}

/** Changes the strings of a JSON text and no other character: its numbers may be longer than a double. */
function mapStrings(json: string, change: (text: string) => string): string {
  let result = '';
  let at = 0;
  for (let start = json.indexOf('"'); start >= 0; start = json.indexOf('"', at)) {
    let end = start + 1;
    while (json[end] !== '"') {
      end += json[end] === '\\' ? 2 : 1;
    }
    const before = json.slice(start, end + 1);
    const text = JSON.parse(before) as string;
    const changed = change(text);
    result += json.slice(at, start) + (changed === text ? before : JSON.stringify(changed));
    at = end + 1;
  }
  return result + json.slice(at);
}

/** Changes the values of a form that hold the placeholder. */
function mapFields(form: string, placeholder: string, change: (text: string) => string): string {
  return form
    .split('&')
    .map((field) => {
      const [[name, value] = ['', '']] = new URLSearchParams(field);
      return value.includes(placeholder) ? new URLSearchParams([[name, change(value)]]).toString() : field;
    })
    .join('&');
}

function* textsOf(body: string): Generator<string> {
  const json = parsedJson(body);
  if (json !== undefined) {
    yield* strings(json);
    return;
  }
  yield body;
  if (FORM.test(body)) {
    for (const value of new URLSearchParams(body).values()) {
      yield* strings(value);
    }
  }
  if (looksLikeBase64(body)) {
    yield* textsOf(Buffer.from(body, 'base64').toString('utf8'));
  }
  // E.g. behind the length of a message.
  for (const object of objectsIn(body)) {
    yield* strings(parsedJson(object));
  }
}

function* strings(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield value;
    // Some APIs carry JSON within JSON.
    const inner = /^\s*[[{]/.test(value) ? parsedJson(value) : undefined;
    if (inner !== undefined) {
      yield* strings(inner);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) {
      yield* strings(child);
    }
  }
}

/**
 * Undoes the changes that inputs and editors make: composed letters, as a Mac does not send them, line ends, doubled
 * blanks, blanks at the ends.
 */
function normalise(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

function isJson(body: string): boolean {
  return parsedJson(body) !== undefined;
}
