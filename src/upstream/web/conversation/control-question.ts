import { FlowValve } from '../../flow-gate.js';
import { type SendContext, type UpstreamAccount, type UpstreamRequest } from '../../upstream-driver.js';
import { type Site } from '../site.js';
import { type ChatPage } from './chat-page.js';
import { Conversation } from './conversation.js';

/** Nothing that any site would refuse. */
const QUESTION = 'Please answer with the one word: Hello';
const ANSWER_MS = 20_000;

/** A prompt of a caller, and where it is asked. */
export interface AskedPrompt {
  readonly account: UpstreamAccount;
  readonly site: Site;
  readonly request: UpstreamRequest;
  readonly context: SendContext;
  /** Whether it is sent for the second time, after a new login; default: no. */
  readonly isRepeated?: boolean;
}

/**
 * Whether the site answers a harmless question on a page of the account that has just been refused a prompt: then it is the
 * prompt that it refuses. Only the beginning of the answer is waited for, 20 s at most. Never rejects.
 */
export async function answersControl(
  page: ChatPage,
  { account, site, request, context }: AskedPrompt,
): Promise<boolean> {
  const prompt = { messages: [{ role: 'user', content: QUESTION }], text: QUESTION };
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(ANSWER_MS)]);
  const begun = Promise.withResolvers<boolean>();
  const conversation = new Conversation(
    page,
    site,
    { ...request, prompt },
    { ...context, signal, flow: new FlowValve() },
    (batch) => {
      if (batch.some(({ type }) => type === 'text' || type === 'reasoning')) {
        begun.resolve(true);
      }
    },
  );
  const held = conversation.hold().then(
    () => false,
    () => false,
  );
  const isAnswered = await Promise.race([begun.promise, held]);
  await conversation.stop();
  await conversation.cleanUp(account.name);
  return isAnswered;
}
