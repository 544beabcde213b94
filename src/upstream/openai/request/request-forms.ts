import { RejectedError, UnavailableError, type UpstreamError } from '../../upstream.errors.js';
import { type UpstreamRequest } from '../../upstream-driver.js';
import { type Failure, toUpstreamError } from '../upstream-failure.js';
import { wordsOf } from './complaint.js';
import { completionBody } from './completion-body.js';
import { EarlierReasoning, type ReasoningName } from './earlier-reasoning.js';
import { holdMedia, refusesMedia } from './media-refusal.js';
import { MessageOrders } from './message-orders.js';
import { RefusedFields } from './refused-fields.js';
import { RefusedMembers } from './refused-members.js';

/** The forms of requests that an upstream's models take, as far as their refusals have told. */
export class RequestForms {
  private readonly fields = new RefusedFields();
  private readonly orders = new MessageOrders();
  private readonly reasoning = new EarlierReasoning();
  private readonly members = new RefusedMembers();

  /** The body of a request, without what its model has refused. */
  bodyOf(request: UpstreamRequest): string {
    const messages = this.reasoning.of(request, this.orders.of(request));
    return completionBody(request, this.fields, this.members.taken(request, messages));
  }

  /** Learns from an answer. @param reasoningName name that its reasoning has; undefined without any */
  answered(request: UpstreamRequest, reasoningName: ReasoningName | undefined): void {
    if (reasoningName !== undefined) {
      this.reasoning.answered(request, reasoningName);
    }
  }

  /** The typed error for a failure; one that is about the form teaches of it. */
  judge(request: UpstreamRequest, { status, text, ...rest }: Failure): UpstreamError {
    const failure = { status, text, ...rest, quoted: wordsOf(request) };
    // Servers tell these two with any status: 400, 404 and 500 are known.
    if (refusesMedia(text) && holdMedia(request.prompt.messages)) {
      return new RejectedError('text_only', 'The upstream takes text only.');
    }
    if (this.orders.learn(request, failure)) {
      return new UnavailableError(
        'unsupported_order',
        'The upstream does not take the order of the messages, sent in another one from now on.',
      );
    }
    if (this.reasoning.learn(request, failure)) {
      return new UnavailableError(
        'unsupported_field',
        'The upstream misses the reasoning of earlier answers, given as a blank from now on.',
      );
    }
    if (this.members.learn(request, failure)) {
      return new UnavailableError(
        'unsupported_field',
        'The upstream does not know a member of the messages, left out from now on.',
      );
    }
    if ((status === 400 || status === 422) && this.fields.learn(request, text)) {
      return new UnavailableError(
        'unsupported_field',
        'The upstream does not know an optional field, left out from now on.',
      );
    }
    return toUpstreamError(failure);
  }
}
