import { RejectedError, UnavailableError, type UpstreamError } from '../../upstream.errors.js';
import { type UpstreamRequest } from '../../upstream-driver.js';
import { type Failure, toUpstreamError } from '../upstream-failure.js';
import { complainedField } from './complained-field.js';
import { isAboutSchema, withoutEcho, wordsOf } from './complaint.js';
import { completionBody } from './completion-body.js';
import { EarlierReasoning, type ReasoningName } from './earlier-reasoning.js';
import { refusesMedia } from './media-refusal.js';
import { MessageOrders } from './message-orders.js';
import { optionalFields } from './optional-fields.js';
import { RefusedFields } from './refused-fields.js';
import { RefusedMembers } from './refused-members.js';

/** The forms of requests that an upstream's models take, as far as their refusals have told. */
export class RequestForms {
  private readonly fields = new RefusedFields();
  private readonly orders = new MessageOrders();
  private readonly reasoning = new EarlierReasoning();
  private readonly members = new RefusedMembers();
  /** The messages in the latest body of a request, which others may have taught of since. */
  private readonly sent = new WeakMap<UpstreamRequest, readonly object[]>();

  /** The body of a request, without what its model has refused. */
  bodyOf(request: UpstreamRequest): string {
    const { model } = request;
    const messages = this.members.taken(model, this.reasoning.of(model, this.orders.of(request)));
    this.sent.set(request, messages);
    return completionBody(request, this.fields, messages);
  }

  /** Learns from an answer. @param reasoningName name that its reasoning has; undefined without any */
  answered(request: UpstreamRequest, reasoningName: ReasoningName | undefined): void {
    if (reasoningName !== undefined) {
      this.reasoning.answered(request.model, reasoningName);
    }
  }

  /** The typed error for a failure; one that is about the form teaches of it. */
  judge(request: UpstreamRequest, told: Failure): UpstreamError {
    const { status, text } = told;
    const repeats = (words: string): boolean => holdsAnywhere(request, words);
    const field = (): string | undefined => complainedField(request, told.message);
    const failure = { ...told, quoted: wordsOf(request), repeats, field };
    const { model } = request;
    const sent = this.sent.get(request) ?? [];
    // Servers tell these two with any status: 400, 404 and 500 are known.
    if (refusesMedia(text, request.prompt.messages, repeats)) {
      return new RejectedError('text_only', 'The upstream takes text only.');
    }
    if (isAboutSchema(withoutEcho(text))) {
      return toUpstreamError(failure);
    }
    if (this.orders.learn(model, sent, failure)) {
      return new UnavailableError(
        'unsupported_order',
        'The upstream rejects the order of the messages; they are sent in another one from now on.',
      );
    }
    if (this.reasoning.learn(model, sent, failure)) {
      this.members.forget(model, 'reasoning_content');
      return new UnavailableError(
        'unsupported_field',
        'The upstream requires the reasoning of earlier answers; a blank is sent from now on.',
      );
    }
    if (this.members.learn(model, sent, failure, optionalFields(request))) {
      return new UnavailableError(
        'unsupported_field',
        'The upstream rejects a field of the messages; it is left out from now on.',
      );
    }
    if ((status === 400 || status === 422) && this.fields.learn(request, text)) {
      return new UnavailableError(
        'unsupported_field',
        'The upstream rejects an optional field; it is left out from now on.',
      );
    }
    return toUpstreamError(failure);
  }
}

/** @param words in small letters */
function holdsAnywhere({ prompt, ...rest }: UpstreamRequest, words: string): boolean {
  // Escaped as the texts of the request are.
  const escaped = JSON.stringify(words).slice(1, -1);
  return JSON.stringify([prompt.messages, rest]).toLowerCase().includes(escaped);
}
