import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { isAbsent } from '../wire-values.js';

interface OpenCall<Id> {
  readonly id: Id | string;
  /** Whether the client gave it. */
  readonly hasOwnId: boolean;
  isAnswered: boolean;
}

/**
 * Calls of a conversation whose results have not come yet, for formats whose clients need not send ids of calls.
 * @typeParam Id of the ids that clients give; unknown where they are checked later
 */
export class OpenCalls<Id = unknown> {
  private readonly all = new CallQueue<Id>();
  private readonly byName = new Map<unknown, CallQueue<Id>>();
  private readonly byId = new Map<Id | string, OpenCall<Id>>();
  private count = 0;

  /** The id of a call: its own, or else a new one. */
  open(name: unknown, ownId?: Id): Id | string {
    const call = { id: ownId ?? this.nextId(), hasOwnId: !isAbsent(ownId), isAnswered: false };
    const named = getOrInsert(this.byName, name, () => new CallQueue<Id>());
    named.add(call);
    this.all.add(call);
    this.byId.set(call.id, call);
    return call.id;
  }

  /**
   * The id of the call that a result answers: the one that it names, else the first of this tool, else the first of all.
   * Some clients give ids to results alone: an id that is not known is that of the first call of this tool, unless this
   * has one of its own.
   */
  answer(name: unknown, callId?: Id): Id | string {
    const ofTool = this.byName.get(name)?.first();
    const call = isAbsent(callId)
      ? (ofTool ?? this.all.first())
      : (this.byId.get(callId) ?? (ofTool?.hasOwnId ? undefined : ofTool));
    if (!call) {
      return callId ?? this.nextId();
    }
    call.isAnswered = true;
    // Further results may have the same id.
    this.byId.set(callId ?? call.id, call);
    return call.id;
  }

  private nextId(): string {
    return `call_${this.count++}`;
  }
}

/** Calls in their order. No call is looked at again once it was found answered: a conversation may have many thousands. */
class CallQueue<Id> {
  private readonly calls: OpenCall<Id>[] = [];
  private next = 0;

  add(call: OpenCall<Id>): void {
    this.calls.push(call);
  }

  /** The first that is not answered. */
  first(): OpenCall<Id> | undefined {
    while (this.calls[this.next]?.isAnswered) {
      this.next++;
    }
    return this.calls[this.next];
  }
}
