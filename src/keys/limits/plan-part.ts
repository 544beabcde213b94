/** Share of its fair part that a node keeps for a first request while others need more. */
const IDLE_SHARE = 0.25;
/** Needs are announced in sixteenths of a limit, so that few requests change them. */
const STEPS = 16;

/** One limit of one key, as one node sees it. */
export interface PartView {
  readonly limit: number;
  /** Living nodes, this one included. */
  readonly nodes: number;
  /** This node's part. */
  readonly held: number;
  /** Sum of all parts that count; above the limit after it was lowered. */
  readonly taken: number;
  /** See `LimitDemand`. */
  readonly used: number;
  readonly wanted: number;
  /** Unmet demand of the other living nodes, beyond their parts. */
  readonly missing: number;
}

/** Plan of a node for its part of a limit. */
export interface PartPlan {
  /** The part from now on; what is above it is given up. */
  readonly keep: number;
  /** The part that it would have, if so much is free. */
  readonly target: number;
  /** Need as announced to the other nodes. */
  readonly want: number;
}

/**
 * Each node is entitled to its fair part as far as it needs it. What it does not need it keeps for as long as nobody else
 * does; and nothing that is in use is given up.
 */
export function planPart(view: PartView): PartPlan {
  const { limit, nodes, held, taken, used, wanted, missing } = view;
  const fair = Math.ceil(limit / nodes);
  const step = Math.ceil(limit / STEPS);
  const need = Math.max(wanted, Math.floor(fair * IDLE_SHARE));
  const want = Math.min(limit, Math.ceil(need / step) * step);
  const entitled = Math.min(want, fair);
  const allowed = taken > limit ? Math.min(held, Math.floor(limit / nodes)) : held;
  const keep = Math.min(held, Math.max(used, Math.min(allowed, Math.max(entitled, allowed - missing))));
  const target = missing > 0 ? Math.max(keep, entitled) : Math.max(keep, want, fair);
  return { keep, target: Math.min(limit, target), want };
}
