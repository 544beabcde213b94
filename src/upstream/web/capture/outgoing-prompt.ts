import { type Protocol } from 'puppeteer';
import { LoginRequiredError, RejectedError, UnavailableError } from '../../upstream.errors.js';
import { type CaptureTask } from './capture.js';
import { checkPrompt, type PromptCheck, replaceInBody } from './prompt-check.js';

/**
 * The page's body with its placeholder replaced by the prompt; undefined if it does not hold the prompt, as other
 * requests to the same URL do not. Throws RejectedError (`too_long`) if the page cut the prompt.
 * @param textsOf the texts of a body in which the prompt may stand; by default the body itself
 */
export function outgoingBody(
  body: string,
  task: CaptureTask,
  textsOf: (body: string) => readonly string[] = (text) => [text],
): string | undefined {
  const filled = task.placeholder ? replaceInBody(body, task.placeholder, task.prompt) : body;
  return filled !== undefined && holdsPrompt(textsOf(filled), task) ? filled : undefined;
}

/**
 * Whether one of the texts that leave the page holds the prompt. Throws
 * RejectedError (`too_long`) if it is cut, and LoginRequiredError (`blocked`) if an earlier prompt is there, too.
 */
export function holdsPrompt(
  texts: readonly string[],
  { isPromptInBody, prompt, earlier }: CaptureTask,
): boolean {
  if (!isPromptInBody) {
    return true;
  }
  const checks = new Set<PromptCheck>(texts.map((text) => checkPrompt(text, prompt)));
  if (!checks.has('complete') && checks.has('cut')) {
    throw new RejectedError('too_long', 'The site sends only a part of the prompt.');
  }
  if (checks.has('complete') && texts.some((text) => earlier.areIn(text, prompt))) {
    throw new LoginRequiredError(
      'blocked',
      'The page sends an earlier prompt of this account along: its recipe must begin a new conversation.',
    );
  }
  return checks.has('complete');
}

/** The value at a path of a JSON body; undefined if the body is not JSON. */
export function readFromJson(body: string, read: (value: unknown) => unknown): unknown {
  try {
    return read(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** The JSON in a text with something before it, as sites put their own kind of header before it. */
export function withoutHeader(text: string): string {
  const start = text.search(/[[{]/);
  return start > 0 ? text.slice(start) : text;
}

/** The body of a request of the page; throws UnavailableError if a part of it cannot be read, e.g. a file. */
export function bodyOf({ postData, postDataEntries }: Protocol.Network.Request): string {
  if (postDataEntries?.every(({ bytes }) => bytes !== undefined)) {
    return Buffer.concat(postDataEntries.map(({ bytes }) => Buffer.from(bytes ?? '', 'base64'))).toString(
      'utf8',
    );
  }
  if (postData === undefined) {
    throw new UnavailableError('body_unreadable', 'The body of the request of the page cannot be read.');
  }
  return postData;
}
