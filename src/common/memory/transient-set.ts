import { AttachedValue } from './attached-value.js';

/**
 * A set whose members come and go with the requests, in no order.
 *
 * A `Set` or `Map` that is filled and emptied all the time replaces its table again and again. A replaced table keeps its
 * contents and refers to the next one; once one of them is in the old generation, V8's quick collections take the whole
 * chain for alive, and with it most of what was ever in the set (decision 209).
 *
 * Meant to live long itself: each set gives its members a property of its own.
 */
export class TransientSet<Member extends object> {
  private readonly members: Member[] = [];
  private readonly place = new AttachedValue<Member, number>('place in a set');

  get size(): number {
    return this.members.length;
  }

  has(member: Member): boolean {
    return this.place.get(member) !== undefined;
  }

  add(member: Member): void {
    if (!this.has(member)) {
      this.place.set(member, this.members.length);
      this.members.push(member);
    }
  }

  /** Whether it was a member. */
  delete(member: Member): boolean {
    const place = this.place.take(member);
    if (place === undefined) {
      return false;
    }
    const last = this.members.pop();
    if (last && last !== member) {
      this.place.set(last, place);
      this.members[place] = last;
    }
    return true;
  }

  /** The members of this moment: what comes and goes meanwhile changes nothing. */
  [Symbol.iterator](): IterableIterator<Member> {
    return this.members.slice().values();
  }
}
