import { createHash } from 'node:crypto';
import {
  OpenAiStub,
  type StubPlan,
  type StubReply,
  type StubRequest,
} from '../support/upstream/openai-stub.js';
import { rateLimited } from '../support/upstream/openai-stub-plans.js';
import { HARD_PIECES, HARD_TEXT } from './hard-text.js';

const THOUGHTS = 5;
const WORDS = 50;
const PACE_MS = 20;

export type UserOf = (request: StubRequest) => string;

/**
 * A model server whose answers can be checked and timed: reasoning `r0 r1 …`, then a digest of the prompt as it
 * arrived, then numbered words at a steady pace, each with its time of sending. Prompts that ask for it never end, or
 * are answered by the hard text instead.
 */
export class PacedModel {
  static readonly ENDLESS = '[[endless]]';
  static readonly HARD = '[[hard]]';
  /** Users whose prompts are refused with status 429. */
  readonly limitedUsers = new Set<string>();
  /** `performance.now()` at which each word of the running answer was sent. */
  readonly sentAt = new Map<string, number>();

  private constructor(
    readonly stub: OpenAiStub,
    /** The user of the site for whom it sent this prompt. */
    readonly userOf: UserOf,
  ) {}

  /** @param userOf reads the user from a request of the site to its model */
  static async start(userOf: UserOf = userOfKey): Promise<PacedModel> {
    const model = new PacedModel(await OpenAiStub.start(), userOf);
    model.stub.answerWith(model.plan);
    model.stub.listModels({ id: 'svc-max' }, { id: 'svc-plus' });
    return model;
  }

  /** Times at which SillyTavern asked for the models, which each of its pages does as the last thing while it loads. */
  get pageLoads(): readonly number[] {
    return this.stub.listedAt;
  }

  /** Prompts, in the order of their arrival. */
  get prompts(): readonly StubRequest[] {
    return this.stub.requests;
  }

  /** Expected answer to a prompt, if nothing of the prompt was changed on its way. */
  static expected(prompt: string): { reasoning: string; text: string } {
    const text = prompt.includes(PacedModel.HARD) ? HARD_TEXT : `${digest(prompt)} ${numbered('w', WORDS)}`;
    return { reasoning: numbered('r', THOUGHTS), text };
  }

  private readonly plan: StubPlan = async (reply) => {
    const { request } = reply;
    if (this.limitedUsers.has(this.userOf(request))) {
      await rateLimited()(reply);
    } else {
      await this.answer(reply, promptOf(request));
    }
  };

  private async answer(reply: StubReply, prompt: string): Promise<void> {
    this.sentAt.clear();
    await reply.event(chunk({ role: 'assistant', content: '' }));
    for (let index = 0; index < THOUGHTS; index++) {
      await this.word(reply, 'reasoning_content', `r${index}`);
    }
    await (prompt.includes(PacedModel.HARD) ? this.hardText(reply) : this.words(reply, prompt));
    const usage = {
      prompt_tokens: 7,
      completion_tokens: THOUGHTS + WORDS,
      total_tokens: 7 + THOUGHTS + WORDS,
    };
    await reply.event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    await reply.event({ choices: [], usage });
    await reply.event('[DONE]');
    reply.end();
  }

  private async hardText(reply: StubReply): Promise<void> {
    for (const content of HARD_PIECES) {
      await reply.event(chunk({ content }));
    }
  }

  private async words(reply: StubReply, prompt: string): Promise<void> {
    await this.word(reply, 'content', digest(prompt));
    const words = prompt.includes(PacedModel.ENDLESS) ? Infinity : WORDS;
    for (let index = 0; index < words && !reply.isClientGone; index++) {
      await this.word(reply, 'content', `w${index}`);
    }
  }

  private async word(reply: StubReply, field: string, word: string): Promise<void> {
    await reply.wait(PACE_MS);
    this.sentAt.set(word, performance.now());
    await reply.event(chunk({ [field]: `${word} ` }));
  }
}

/** The text of the last message, as parts where images stand beside it. */
export function promptOf({ body }: StubRequest): string {
  const content: unknown = body.messages?.at(-1)?.content ?? '';
  return typeof content === 'string'
    ? content
    : partsOf(content)
        .map(({ text = '' }) => text)
        .join('');
}

/** The images of the last message, as data URLs. */
export function imagesOf({ body }: StubRequest): string[] {
  return partsOf(body.messages?.at(-1)?.content).flatMap(({ image_url: image }) => image?.url ?? []);
}

interface Part {
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

function partsOf(content: unknown): readonly Part[] {
  return Array.isArray(content) ? (content as readonly Part[]) : [];
}

/** For sites that send each user's own key, `key-of-alice`. */
function userOfKey({ key }: StubRequest): string {
  return key.replace(/^key-of-/, '');
}

function chunk(delta: object): object {
  return { choices: [{ index: 0, delta, finish_reason: null }] };
}

function numbered(letter: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${letter}${index} `).join('');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
