import { type AccessKey, LIMIT_NAMES } from '../access-key.js';
import { type LimitClient, type LimitDemand } from './limit-parts.js';
import { type PartOrder, type PartPlace, type StoredPart } from './part-statements.js';
import { planPart } from './plan-part.js';

/** Limits examined at a time. */
const STEP = 500;
const UNUSED: LimitDemand = { used: 0, wanted: 0 };

interface LimitPlace extends PartPlace {
  /** 0 for a removed limit. */
  readonly limit: number;
}

/** A node's view of its parts, and the orders that follow from it. */
export class PartBook {
  /** Living nodes, this one included. */
  nodes = 1;
  private readonly parts = new Map<string, StoredPart>();
  private limits = new Map<string, LimitPlace>();
  /** Parts that may have changed; until they are read again, no more of them is used than before. */
  private readonly doubted = new Set<string>();
  private client: LimitClient | undefined;

  get isEmpty(): boolean {
    return this.limits.size === 0;
  }

  serve(client: LimitClient): void {
    this.client = client;
  }

  keysChanged(keys: readonly AccessKey[]): void {
    const limits = keys.flatMap((key) =>
      LIMIT_NAMES.flatMap((name) => {
        const limit = key[name];
        return limit === null ? [] : [{ key: key.name, name, limit }];
      }),
    );
    const known = new Map(limits.map((limit) => [placeOf(limit), limit]));
    for (const [place, { key, name, amount }] of this.parts) {
      if (amount > 0 && !known.has(place)) {
        known.set(place, { key, name, limit: 0 });
      }
    }
    this.limits = known;
  }

  amountOf(place: PartPlace): number {
    return this.parts.get(placeOf(place))?.amount ?? 0;
  }

  /** Takes over what was read. @param asked limits whose parts were read, as far as they have any */
  note(parts: readonly StoredPart[], asked: readonly PartPlace[]): void {
    for (const place of asked.map(placeOf)) {
      this.parts.delete(place);
      this.doubted.delete(place);
    }
    parts.forEach((part) => this.parts.set(placeOf(part), part));
  }

  /** Marks parts to be read again; all by default. */
  doubt(places: Iterable<PartPlace> = this.parts.values()): void {
    for (const place of [...places].map(placeOf)) {
      if (this.parts.has(place)) {
        this.doubted.add(place);
      }
    }
  }

  /** Invalidates everything: nothing may be used until it is read again. */
  forfeit(): void {
    this.parts.forEach((part, place) => this.parts.set(place, { ...part, amount: 0 }));
    this.doubt();
  }

  /** Parts to be read again, up to a number. */
  doubtful(count: number): StoredPart[] {
    const found: StoredPart[] = [];
    for (const place of this.doubted) {
      if (found.push(this.parts.get(place)!) === count) {
        break;
      }
    }
    return found;
  }

  /** Limits for which an order would change something, found step by step. */
  *changes(): Generator<PartPlace[]> {
    const limits = [...this.limits.values()];
    for (let at = 0; at < limits.length; at += STEP) {
      yield limits.slice(at, at + STEP).filter((place) => this.isChange(this.orderOf(place)));
    }
  }

  /** The orders for these limits. Units that they give up go out of use at once. */
  order(places: readonly PartPlace[]): PartOrder[] {
    const orders = places.map((place) => this.orderOf(place));
    for (const order of orders) {
      const place = placeOf(order);
      const part = this.parts.get(place);
      if (part) {
        this.parts.set(place, { ...part, amount: Math.min(part.amount, order.keep) });
      }
    }
    return orders;
  }

  /** Orders that keep what is in use, and no more. What is under way ends with the node. */
  inUse(): PartOrder[] {
    return [...this.limits.values()].flatMap((place) => {
      const { used } = this.demandOf(place);
      return used === 0 || place.name === 'concurrentRequests'
        ? []
        : [{ ...place, keep: used, target: used, want: 0 }];
    });
  }

  private orderOf({ key, name }: PartPlace): PartOrder {
    const place = placeOf({ key, name });
    const limit = this.limits.get(place)?.limit ?? 0;
    if (limit === 0) {
      return { key, name, limit, keep: 0, target: 0, want: 0 };
    }
    const { amount: held = 0, taken = 0, missing = 0 } = this.parts.get(place) ?? {};
    const { nodes } = this;
    const plan = planPart({ limit, nodes, held, taken, missing, ...this.demandOf({ key, name }) });
    return { key, name, limit, ...plan };
  }

  private demandOf({ key, name }: PartPlace): LimitDemand {
    return this.client?.demandOf(key)?.[name] ?? UNUSED;
  }

  private isChange(order: PartOrder): boolean {
    const part = this.parts.get(placeOf(order));
    if (!part || part.want !== order.want || part.amount > order.keep) {
      return true;
    }
    return order.target > part.amount && part.taken < order.limit;
  }
}

function placeOf({ key, name }: PartPlace): string {
  return `${name} ${key}`;
}
