import { Injectable } from '@nestjs/common';
import { lastValueFrom, reduce } from 'rxjs';
import { asGatewayError, InternalError } from '../../common/errors/gateway.errors.js';
import { FlowValve } from '../../upstream/flow-gate.js';
import { HARMLESS_QUESTION } from '../../upstream/harmless-question.js';
import { UpstreamError } from '../../upstream/upstream.errors.js';
import { type UpstreamBatch, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { type Account } from '../registry/account.js';
import { Dispatcher } from './dispatcher.js';
import { type DispatchContext } from './upstream-dispatch.js';

/** What a tested account answered. */
export interface TestAnswer {
  readonly text: string;
  readonly reasoning: string;
  /** False if the signal ended it. */
  readonly isWhole: boolean;
}

/** The model that a test is for. */
export type TestModel = Pick<UpstreamRequest, 'model' | 'thinking'> &
  Pick<UpstreamRequest['params'], 'maxTokens'>;

/** What it is asked. */
export const TESTED_MESSAGES = [{ role: 'user', content: HARMLESS_QUESTION }] as const;
const NOTHING: TestAnswer = { text: '', reasoning: '', isWhole: false };

/** Asks one account a harmless question, once: whether it works shows in nothing but an answer. */
@Injectable()
export class AccountTest {
  constructor(private readonly dispatcher: Dispatcher) {}

  /**
   * Waits for a session of the account like any other request. An abort of the signal ends the question.
   * @throws GatewayError, see `testFailure`
   */
  ask(
    { id }: Account,
    { model, thinking, maxTokens }: TestModel,
    context: Pick<DispatchContext, 'signal' | 'requestId' | 'report' | 'elapsedMs'>,
  ): Promise<TestAnswer> {
    const request: UpstreamRequest = {
      prompt: { messages: TESTED_MESSAGES, text: HARMLESS_QUESTION },
      model,
      thinking,
      // Small limits are refused by models that reason.
      params: { maxTokens, isLimitAssumed: true, stop: [] },
    };
    const batches$ = this.dispatcher.dispatch(request, { ...context, flow: new FlowValve(), only: id });
    return lastValueFrom(batches$.pipe(reduce(withBatch, NOTHING)));
  }
}

/** A failed test in a word and a sentence: the driver's, as the account's card would show it, or else the gateway's. */
export function testFailure(error: unknown): { readonly outcome: string; readonly message: string } {
  const failure = asGatewayError(error);
  if (failure.cause instanceof UpstreamError) {
    const { fault: outcome, message } = failure.cause;
    return { outcome, message };
  }
  const { reason: outcome, message } = failure;
  return { outcome, message: failure instanceof InternalError ? asSentence(failure.what) : message };
}

function asSentence(what: string): string {
  return what.charAt(0).toUpperCase() + what.slice(1);
}

function withBatch(answer: TestAnswer, batch: UpstreamBatch): TestAnswer {
  let { text, reasoning, isWhole } = answer;
  for (const event of batch) {
    if (event.type === 'text' || event.type === 'refusal') {
      text += event.text;
    } else if (event.type === 'reasoning') {
      reasoning += event.text;
    }
    isWhole ||= event.type === 'done';
  }
  return { text, reasoning, isWhole };
}
