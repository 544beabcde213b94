const SAMPLE_LENGTH = 200;
/** Editors change white space; what is missing beyond this share is more than that. */
const KEPT_SHARE = 0.9;

/** Whether an outgoing body holds the prompt from its head to its tail. */
export type PromptCheck = 'complete' | 'cut' | 'missing';

/**
 * Looks for the prompt's first and last characters in one text of the body, which may be JSON, a form or plain.
 * Sites have been seen to send only a part of a long prompt, without a word, and to answer that.
 */
export function checkPrompt(body: string, prompt: string): PromptCheck {
  const wanted = normalise(prompt);
  const head = wanted.slice(0, SAMPLE_LENGTH);
  const tail = wanted.slice(-SAMPLE_LENGTH);
  let result: PromptCheck = 'missing';
  for (const text of textsOf(body)) {
    const held = normalise(text);
    const start = held.indexOf(head);
    if (start >= 0) {
      const end = held.lastIndexOf(tail);
      if (end >= start && end + tail.length - start >= wanted.length * KEPT_SHARE) {
        return 'complete';
      }
      result = 'cut';
    }
  }
  return result;
}

/** Replaces a placeholder in the texts of a JSON body; undefined if it is not there. */
export function replaceInBody(body: string, placeholder: string, prompt: string): string | undefined {
  if (!body.includes(placeholder)) {
    return undefined;
  }
  const replacement = JSON.stringify(prompt).slice(1, -1);
  return body.split(placeholder).join(isJson(body) ? replacement : prompt);
}

function* textsOf(body: string): Generator<string> {
  const json = parse(body);
  if (json !== undefined) {
    yield* strings(json);
    return;
  }
  yield body;
  if (/^[\w.%+*-]+=/.test(body)) {
    yield* new URLSearchParams(body).values();
  }
}

function* strings(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield value;
    // Some APIs carry JSON within JSON.
    const inner = /^\s*[[{]/.test(value) ? parse(value) : undefined;
    if (inner !== undefined) {
      yield* strings(inner);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) {
      yield* strings(child);
    }
  }
}

/** White space is what inputs and editors change: line ends, doubled blanks, blanks at the ends. */
function normalise(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function isJson(body: string): boolean {
  return parse(body) !== undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
