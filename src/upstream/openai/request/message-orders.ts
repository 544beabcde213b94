import { type UpstreamRequest } from '../../upstream-driver.js';
import { type FormFailure, refusesOrder } from '../upstream-failure.js';

/** A message on the wire, as far as its order is concerned. */
interface Message {
  readonly role?: string;
  readonly content?: string | readonly object[] | null;
  readonly name?: string | null;
  readonly reasoning_content?: string | null;
  readonly tool_calls?: readonly object[] | null;
}

/**
 * The orders of messages that an upstream's models take. Agents put system messages between the others; many chat templates
 * know a single one, ahead of all. Nothing but their refusal tells, so it is remembered for its model, and the user says
 * the later ones from then on.
 */
export class MessageOrders {
  private readonly alternating = new Set<string>();

  /** The messages of a request, in an order that its model takes as far as is known. */
  of(request: UpstreamRequest): readonly object[] {
    const messages = joinLeadingSystem((request.prompt.messages as readonly Message[]).map(toKnownRole));
    return this.alternating.has(request.model) ? toAlternating(messages) : messages;
  }

  /**
   * Whether the complaint is about the order, and another one can succeed.
   * @param sent the messages that were refused
   */
  learn(model: string, sent: readonly Message[], failure: FormFailure): boolean {
    if (!refusesOrder(failure) || isAlternating(sent)) {
      return false;
    }
    this.alternating.add(model);
    return true;
  }
}

/** Replaces the role `developer`, one vendor's name for `system`, which all servers know. */
function toKnownRole(message: Message): Message {
  return message.role === 'developer' ? { ...message, role: 'system' } : message;
}

function joinLeadingSystem(messages: readonly Message[]): readonly Message[] {
  const end = messages.findIndex(({ role }) => role !== 'system');
  const count = end === -1 ? messages.length : end;
  return count < 2 ? messages : [joined(messages.slice(0, count)), ...messages.slice(count)];
}

/** System messages behind the first are said by the user, and neighbours of one role become one message. */
function toAlternating(messages: readonly Message[]): readonly Message[] {
  const groups: Message[][] = [];
  for (const message of messages) {
    const said = isLateSystem(message, groups.length) ? { ...message, role: 'user' } : message;
    const last = groups.at(-1);
    if (last && isOneTurn(last.at(-1)!, said)) {
      last.push(said);
    } else {
      groups.push([said]);
    }
  }
  return groups.map(joined);
}

/** Whether `toAlternating` would leave the messages as they are. */
function isAlternating(messages: readonly Message[]): boolean {
  return messages.every(
    (message, at) => !isLateSystem(message, at) && !(at > 0 && isOneTurn(messages[at - 1]!, message)),
  );
}

function isLateSystem({ role }: Message, index: number): boolean {
  return role === 'system' && index > 0;
}

/** Results of tools stand each for itself, and follow the message with the calls. */
function isOneTurn(before: Message, { role }: Message): boolean {
  return role === before.role && (role === 'user' || (role === 'assistant' && !before.tool_calls?.length));
}

function joined(messages: readonly Message[]): Message {
  const last = messages.at(-1)!;
  if (messages.length === 1) {
    return last;
  }
  const reasoning = messages.map((message) => message.reasoning_content).filter(Boolean);
  return {
    ...last,
    content: joinContents(messages.map(({ content }) => content)),
    name: undefined,
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join('\n\n') }),
  };
}

/** Texts as one text, since many upstreams take nothing else from the system; parts stay such. */
function joinContents(contents: readonly Message['content'][]): Message['content'] {
  const present = contents.filter((content) => content !== undefined && content !== null && content !== '');
  return present.every((content) => typeof content === 'string')
    ? present.join('\n\n')
    : present.flatMap((content) =>
        typeof content === 'string' ? { type: 'text', text: content } : content!,
      );
}
