import { type Protocol } from 'puppeteer';
import { RejectedError, UnavailableError } from '../../upstream.errors.js';
import { type CaptureTask } from './capture.js';
import { checkPrompt, replaceInBody } from './prompt-check.js';

/**
 * The page's body with its placeholder replaced by the prompt. Throws RejectedError (`too_long`) if the page cut the
 * prompt, and UnavailableError if the prompt is not in the body at all.
 */
export function outgoingBody(body: string, task: CaptureTask): string {
  const filled = task.placeholder ? replaceInBody(body, task.placeholder, task.prompt) : body;
  if (filled === undefined) {
    throw new UnavailableError('prompt_missing', 'The request of the page does not hold the prompt.');
  }
  if (task.isPromptInBody) {
    const check = checkPrompt(filled, task.prompt);
    if (check === 'cut') {
      throw new RejectedError('too_long', 'The site sends only a part of the prompt.');
    }
    if (check === 'missing') {
      throw new UnavailableError('prompt_missing', 'The request of the page does not hold the prompt.');
    }
  }
  return filled;
}

/** The value at a path of a JSON body; undefined if the body is not JSON. */
export function readFromJson(body: string, read: (value: unknown) => unknown): unknown {
  try {
    return read(JSON.parse(body));
  } catch {
    return undefined;
  }
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
