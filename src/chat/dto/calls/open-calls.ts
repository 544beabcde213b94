import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { isAbsent } from '../wire-values.js';

interface OpenCall {
  readonly id: unknown;
  /** Whether the client gave it. */
  readonly hasOwnId: boolean;
  isAnswered: boolean;
}

/** Calls of a conversation whose results have not come yet, for formats whose clients need not send ids of calls. */
export class OpenCalls {
  private readonly all = new CallQueue();
  private readonly byName = new Map<unknown, CallQueue>();
  private readonly byId = new Map<unknown, OpenCall>();
  private count = 0;

  /** The id of a call: its own, or else a new one. */
  open(name: unknown, ownId?: unknown): unknown {
    const call = { id: ownId ?? this.nextId(), hasOwnId: !isAbsent(ownId), isAnswered: false };
    const named = getOrInsert(this.byName, name, () => new CallQueue());
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
  answer(name: unknown, callId?: unknown): unknown {
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
class CallQueue {
  private readonly calls: OpenCall[] = [];
  private next = 0;

  add(call: OpenCall): void {
    this.calls.push(call);
  }

  /** The first that is not answered. */
  first(): OpenCall | undefined {
    while (this.calls[this.next]?.isAnswered) {
      this.next++;
    }
    return this.calls[this.next];
  }
}
