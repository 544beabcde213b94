import { type HeldState } from '../../accounts/registry/account-states.js';
import { type ListedNode } from '../../cluster/node-list.js';
import { isSilent, type NodeFigures } from './node-view.js';

const NAMES = ['running', 'waiting', 'leases', 'sessions', 'idle', 'opening', 'capacity'] as const;

/** Sums of the figures of several gateways. */
export type SummedFigures = Pick<NodeFigures, (typeof NAMES)[number] | 'states'>;

/**
 * The figures of this gateway, which are newer than its report, and those that the other ones told last. What a silent one
 * told is left out; what a release before did not tell counts as 0.
 * @param ownId id of this gateway among the nodes
 */
export function sumFigures(
  own: SummedFigures,
  nodes: readonly ListedNode[],
  ownId: string | undefined,
): SummedFigures {
  const others = nodes
    .filter((node) => node.id !== ownId && !isSilent(node))
    .map(({ report }) => (report ?? {}) as Partial<SummedFigures>);
  const all: readonly Partial<SummedFigures>[] = [own, ...others];
  const states = sums(
    Object.keys(own.states) as HeldState[],
    all.map((one) => one.states ?? {}),
  );
  return { ...sums(NAMES, all), states };
}

function sums<Name extends string>(
  names: readonly Name[],
  all: readonly Partial<Record<Name, number>>[],
): Record<Name, number> {
  const sumOf = (name: Name): number => all.reduce((sum, one) => sum + (one[name] ?? 0), 0);
  return Object.fromEntries(names.map((name) => [name, sumOf(name)])) as Record<Name, number>;
}
