import { type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { type QueueTurn } from '../accounts/pool/queue/fair-order.js';
import { GatewayError } from '../common/errors/gateway.errors.js';
import { type CallerKey, mayUseModel } from '../common/http/access/caller-key.js';
import { Clock } from '../common/time/clock.js';
import { type Priority } from '../keys/access-key.js';
import { KeyRegistry } from '../keys/key-registry.js';
import { type TokenUsage } from '../upstream/upstream-driver.js';
import { Tokenizer } from './completion/tokens/tokenizer.js';
import { type CompletionRequest } from './interfaces/completion-request.js';
import { checkContext, mostTokens } from './prompt/context-check.js';
import { type ConversationPrompt } from './prompt/conversation-prompt.js';
import { RoughReservations } from './rough-reservations.js';

/** Tokens of the day that a key has set aside for one completion. */
export interface HeldTokens {
  /** Tokens of the prompt, if they were counted. */
  readonly promptTokens?: number;
  /** Limit of the answer: what was set aside for it. */
  readonly answerTokens?: number;
  /** Puts what was used in their place; nothing for an answer that never began. */
  settle(usage: TokenUsage | undefined): void;
}

/** While both wait, four interactive requests of a key are served for one of a batch key. */
const TURNS_A_ROUND = { interactive: 1, batch: 0.25 } as const satisfies Record<Priority, number>;

/** A prompt is tokenized only where its bound is more than this part of what its key has left, which costs 60 µs and more. */
const PLENTY = 64;

const NOTHING_HELD: HeldTokens = { settle: () => undefined };

/** Keeps a completion within what its key may use. */
@Injectable()
export class KeyAllowance {
  private readonly rough: RoughReservations;

  constructor(
    private readonly keys: KeyRegistry,
    private readonly tokenizer: Tokenizer,
    private readonly clock: Clock,
  ) {
    this.rough = new RoughReservations(tokenizer);
  }

  /** @throws GatewayError `permission_denied` if the key is not for this model */
  requireModel(key: CallerKey | undefined, modelId: string): void {
    if (key && !mayUseModel(key, modelId)) {
      const message = `The key '${key.name}' is not for the model '${modelId}'.`;
      throw new GatewayError('permission_denied', message, { param: 'model' });
    }
  }

  /** Counts a completion among the concurrent requests of its key until it ends, even after its caller has left. */
  async whileHeld(response: ServerResponse | undefined, complete: () => Promise<void>): Promise<void> {
    const slot = response && this.keys.slotOf(response);
    slot?.hold();
    try {
      await complete();
    } finally {
      slot?.release();
    }
  }

  /** Whose turn a completion takes where requests wait for a session. */
  turnOf(key: CallerKey | undefined): QueueTurn | undefined {
    return key && { key: key.name, weight: TURNS_A_ROUND[this.keys.priorityOf(key)] };
  }

  /**
   * Sets the most tokens aside that a completion can take: its prompt, and its limit of the answer. Where the caller has
   * named no limit, the answer may have what is left.
   * @param prompt whose input is read, and so rendered, only for a key with a limit
   * @throws TooManyRequestsError if the key has not so many left; InvalidRequestError if it never has; ContextWindowExceededError
   */
  async reserve(
    key: CallerKey | undefined,
    request: CompletionRequest,
    prompt: Pick<ConversationPrompt, 'input'>,
    signal: AbortSignal,
  ): Promise<HeldTokens> {
    if (key === undefined) {
      return NOTHING_HELD;
    }
    const left = this.keys.tokensLeft(key);
    if (left === undefined) {
      return { settle: (usage) => this.keys.count(key, tokensOf(usage)) };
    }
    const { input } = prompt;
    const { params, isLimitDefault } = request;
    await checkContext(input, request, this.tokenizer, signal);
    const bound = mostTokens(input);
    const isRough = bound * PLENTY <= left && bound + params.maxTokens <= left;
    if (!isRough) {
      await this.rough.refine(key.name);
    }
    const promptTokens = isRough ? bound : await this.tokenizer.count(input, signal);
    const most = promptTokens + params.maxTokens;
    const reservation = this.keys.reserve(key, most, isLimitDefault ? promptTokens + 1 : most);
    const answerTokens = reservation ? reservation.tokens - promptTokens : params.maxTokens;
    const drop = isRough ? this.rough.add(key.name, { input, answerTokens, reservation }) : undefined;
    return {
      ...(!isRough && { promptTokens }),
      answerTokens,
      settle: (usage) => {
        drop?.();
        if (reservation) {
          reservation.settle(tokensOf(usage), this.clock.now());
        } else {
          // The limit was taken away meanwhile.
          this.keys.count(key, tokensOf(usage));
        }
      },
    };
  }
}

function tokensOf(usage: TokenUsage | undefined): number {
  return usage ? usage.promptTokens + usage.completionTokens : 0;
}
