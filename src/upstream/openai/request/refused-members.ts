import { type UpstreamRequest } from '../../upstream-driver.js';
import { type Failure } from '../upstream-failure.js';
import { escaped, holdsWords, saysUnsupported, withoutEcho } from './complaint.js';

/** Members without which a message says something else, and which every server knows. */
const ESSENTIAL = new Set(['role', 'content', 'tool_calls', 'tool_call_id']);

/** Members remembered for a model: far more than a server has reasons to refuse. */
const MAX_MEMBERS = 100;

const NONE: ReadonlySet<string> = new Set();

/**
 * Members of messages that an upstream's models refuse, such as the reasoning of earlier answers: some servers miss it, some
 * refuse it (Groq, Mistral, Cerebras). As with fields of the body, nothing but the refusal tells, so it is remembered for
 * its model.
 */
export class RefusedMembers {
  private readonly byModel = new Map<string, Set<string>>();
  /** As the latest body of a request had them. */
  private readonly sent = new WeakMap<UpstreamRequest, readonly object[]>();

  /** The messages of a request without what its model refuses, as far as is known. */
  taken(request: UpstreamRequest, messages: readonly object[]): readonly object[] {
    const refused = this.byModel.get(request.model) ?? NONE;
    const rest = refused.size === 0 ? messages : messages.map((message) => without(message, refused));
    this.sent.set(request, rest);
    return rest;
  }

  /**
   * Whether the complaint names a member that the messages can do without.
   * @param request the one refused; the same object is sent again
   */
  learn(request: UpstreamRequest, { status, text, quoted = '' }: Failure): boolean {
    const complaint = withoutEcho(text);
    if ((status !== 400 && status !== 422) || !saysUnsupported(complaint, quoted)) {
      return false;
    }
    const members = new Set((this.sent.get(request) ?? []).flatMap(Object.keys));
    const named = [...members].filter((member) => !ESSENTIAL.has(member) && names(complaint, member));
    const refused = this.byModel.get(request.model) ?? new Set();
    this.byModel.set(request.model, refused);
    named.slice(0, MAX_MEMBERS - refused.size).forEach((member) => refused.add(member));
    return named.some((member) => refused.has(member));
  }
}

function without(message: object, members: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(message).filter(([member]) => !members.has(member)));
}

/** Whether a complaint is about a member of a message: its name alone may be a word, unless it is made of several. */
function names(complaint: string, member: string): boolean {
  const name = escaped(member);
  return (
    (member.includes('_') && holdsWords(complaint, member)) ||
    // property 'audio'; messages[1].audio; messages.1.assistant.audio; body; messages; 1; assistant; audio
    new RegExp(
      `\\b(?:property|field|parameter|argument)\\W{1,3}${name}\\b|\\bmessages\\W{1,4}\\d+(?:\\W{1,4}[a-z]+)?\\W{1,4}${name}\\b`,
      'i',
    ).test(complaint)
  );
}
