import { type Protocol } from 'puppeteer';
import { LoginRequiredError, RejectedError, UnavailableError } from '../../upstream.errors.js';
import { type CaptureTask } from './answer-capture.js';
import { checkPrompt, type PromptCheck, replaceInBody } from './prompt-check.js';

/**
 * The page's body with its placeholder replaced by the prompt; undefined if it does not hold the prompt, as other
 * requests to the same URL do not. Throws as `holdsPrompt`.
 * @param placeholder see `AnswerCapture.placeholder`
 * @param isOut whether the prompt has left the page
 * @param textsOf the texts of a body in which the prompt may stand; by default the body itself
 */
export function outgoingBody(
  body: string,
  task: CaptureTask,
  placeholder: string | undefined,
  isOut: boolean,
  textsOf: (body: string) => readonly string[],
): string | undefined {
  const filled = placeholder === undefined ? body : replaceInBody(body, placeholder, task.prompt);
  const holds = holdsPrompt(textsOf(filled ?? body), task, isOut);
  return holds ? filled : undefined;
}

/**
 * Whether one of the texts that leave the page holds the prompt. Throws RejectedError (`too_long`) if it is cut, the same
 * (`prompt_altered`) if another text leaves in its place, and LoginRequiredError (`blocked`) if an earlier prompt goes out
 * with it, or before it.
 * @param isOut whether the prompt has left the page
 */
export function holdsPrompt(texts: readonly string[], task: CaptureTask, isOut: boolean): boolean {
  const { isPromptInBody, prompt } = task;
  const checks = new Set<PromptCheck>(isPromptInBody ? texts.map((text) => checkPrompt(text, prompt)) : []);
  const isComplete = !isPromptInBody || checks.has('complete');
  if (!isComplete && checks.has('cut')) {
    throw new RejectedError('too_long', 'The site sends only a part of the prompt.');
  }
  if (isComplete || !isOut) {
    refuseEarlier(texts, task);
  }
  if (!isComplete && !isOut && checks.has('altered')) {
    throw promptAltered();
  }
  return isComplete;
}

/** The page makes another text of the prompt, which is not to be answered in its place. */
export function promptAltered(): RejectedError {
  return new RejectedError(
    'prompt_altered',
    'The page of the site sends a text that differs from the prompt.',
  );
}

/** Throws LoginRequiredError (`blocked`) if an earlier prompt of the account is in one of the texts. */
export function refuseEarlier(texts: readonly string[], { prompt, earlier }: CaptureTask): void {
  if (texts.some((text) => earlier.areIn(text, prompt))) {
    throw new LoginRequiredError(
      'blocked',
      'The page also sends an earlier prompt of this account: its recipe must begin a new conversation.',
    );
  }
}

/** The value at a path of a JSON body; undefined if the body is not JSON. */
export function readFromJson(body: string, read: (value: unknown) => unknown): unknown {
  try {
    return read(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/**
 * What a request of the page carries: its body or, where its method has none, its query. Throws UnavailableError if a
 * part of the body cannot be read.
 */
export function outgoingText(request: Protocol.Network.Request): string {
  const body = request.method === 'GET' ? queryOf(request.url) : readableBody(request);
  if (body === undefined) {
    throw new UnavailableError('body_unreadable', 'The request body of the page cannot be read.');
  }
  return body;
}

/** The body of a request of the page; undefined if a part of it cannot be read, e.g. a file or a stream. */
export function readableBody(request: Protocol.Network.Request): string | undefined {
  return bytesOfBody(request)?.toString('utf8');
}

/** As `readableBody`, byte for byte. */
export function bytesOfBody({ postData, postDataEntries }: Protocol.Network.Request): Buffer | undefined {
  if (postDataEntries?.every(({ bytes }) => bytes !== undefined)) {
    return Buffer.concat(postDataEntries.map(({ bytes }) => Buffer.from(bytes ?? '', 'base64')));
  }
  return postData === undefined ? undefined : Buffer.from(postData);
}

/** The query of an address, encoded like a form. */
export function queryOf(url: string): string {
  return URL.parse(url)?.search.slice(1) ?? '';
}
