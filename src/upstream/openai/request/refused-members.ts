import { type FormFailure } from '../upstream-failure.js';
import { saysUnsupported, withoutEcho, withoutMembers } from './complaint.js';

/** Members without which a message says something else, and which every server knows. */
const ESSENTIAL = new Set(['role', 'content', 'tool_calls', 'tool_call_id']);

/** Members remembered for a model, more than a server has reasons to refuse; of more, that of the longest ago is forgotten. */
const MAX_MEMBERS = 100;

const NONE: ReadonlySet<string> = new Set();

/**
 * Names of members in a complaint. A name alone may be a word, unless it is made of several; otherwise something before it
 * tells: property 'audio'; messages[1].audio; messages.1.assistant.audio; body; messages; 1; assistant; audio
 */
const NAMES = [
  /\b([a-z]\w*_\w*)\b/gi,
  /\b(?:property|field|parameter|argument)\W{1,3}(\w+)/gi,
  /\bmessages\W{1,4}\d+\W{1,4}(\w+)/gi,
  /\bmessages\W{1,4}\d+\W{1,4}[a-z]+\W{1,4}(\w+)/gi,
];

/**
 * Members of messages that an upstream's models refuse, such as the reasoning of earlier answers: some servers miss it, some
 * refuse it (Groq, Mistral, Cerebras). As with fields of the body, nothing but the refusal tells, so it is remembered for
 * its model.
 */
export class RefusedMembers {
  private readonly byModel = new Map<string, Set<string>>();

  /** The messages without what the model refuses, as far as is known. */
  taken(model: string, messages: readonly object[]): readonly object[] {
    const refused = this.byModel.get(model) ?? NONE;
    return refused.size === 0 ? messages : messages.map((message) => without(message, refused));
  }

  /**
   * Whether the complaint names a member that the messages can do without.
   * @param sent the messages that were refused
   * @param fields the optional fields beside them, whose members may have any name
   */
  learn(
    model: string,
    sent: readonly object[],
    { status, text, quoted = '' }: FormFailure,
    fields: object = {},
  ): boolean {
    const complaint = withoutEcho(text);
    if ((status !== 400 && status !== 422) || !saysUnsupported(complaint, quoted)) {
      return false;
    }
    // Callers name members as they like, so their names are looked up, not searched for.
    const members = new Set(sent.flatMap(Object.keys));
    const named = namesIn(withoutMembers(complaint, [fields, ...sent])).filter(
      (name) => members.has(name) && !ESSENTIAL.has(name),
    );
    named.forEach((name) => this.add(model, name));
    return named.length > 0;
  }

  /** The model wants the member after all. */
  forget(model: string, member: string): void {
    this.byModel.get(model)?.delete(member);
  }

  private add(model: string, name: string): void {
    const refused = this.byModel.get(model) ?? new Set();
    this.byModel.set(model, refused.add(name));
    const [oldest] = refused;
    if (oldest !== undefined && refused.size > MAX_MEMBERS) {
      refused.delete(oldest);
    }
  }
}

function without(message: object, members: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(message).filter(([member]) => !members.has(member)));
}

function namesIn(complaint: string): readonly string[] {
  return NAMES.flatMap((pattern) => [...complaint.matchAll(pattern)].map(([, name = '']) => name));
}
