import { FlowValve } from '../../flow-gate.js';
import { HARMLESS_QUESTION } from '../../harmless-question.js';
import { type SendContext, type UpstreamAccount, type UpstreamRequest } from '../../upstream-driver.js';
import { type Site } from '../site.js';
import { type ChatPage } from './chat-page.js';
import { Conversation } from './conversation.js';

const ANSWER_MS = 20_000;

/** A prompt of a caller, and where it is asked. */
export interface AskedPrompt {
  readonly account: UpstreamAccount;
  readonly site: Site;
  readonly request: UpstreamRequest;
  readonly context: SendContext;
  /** Tells who watches the driver as a whole that it is at work. */
  readonly showLife: () => void;
  /** Whether it is sent for the second time, after a new login; default: no. */
  readonly isRepeated?: boolean;
}

/** How a site met the harmless question. */
export interface ControlOutcome {
  /** Whether it began to answer. */
  readonly isAnswered: boolean;
  /** Why it did not, if it failed. */
  readonly error?: unknown;
  /** Resolves once the site's work is stopped and the conversation cleaned up, so that the page may go. Never rejects. */
  readonly ended: Promise<void>;
}

/**
 * Asks a harmless question on a page of the account that has just been refused a prompt. If the site answers, it is the
 * prompt that it refuses. Only the beginning of the answer is waited for, 20 s at most. Never rejects.
 */
export async function askControl(
  page: ChatPage,
  { account, site, request, context }: AskedPrompt,
): Promise<ControlOutcome> {
  const prompt = { messages: [{ role: 'user', content: HARMLESS_QUESTION }], text: HARMLESS_QUESTION };
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(ANSWER_MS)]);
  const begun = Promise.withResolvers<Omit<ControlOutcome, 'ended'>>();
  const conversation = new Conversation(
    page,
    site,
    { ...request, prompt },
    { ...context, signal, flow: new FlowValve() },
    (batch) => {
      if (batch.some(({ type }) => type === 'text' || type === 'reasoning')) {
        begun.resolve({ isAnswered: true });
      }
    },
  );
  const held = conversation.hold().then(
    () => ({ isAnswered: false }),
    (error: unknown) => ({ isAnswered: false, error }),
  );
  const outcome = await Promise.race([begun.promise, held]);
  return { ...outcome, ended: conversation.stop().then(() => conversation.cleanUp(account.name)) };
}
