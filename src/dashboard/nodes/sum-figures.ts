import { type ListedNode } from '../../cluster/node-list.js';
import { isSilent, type NodeFigures } from './node-view.js';

/** Sums of the figures of several gateways. */
export type SummedFigures = Pick<
  NodeFigures,
  'running' | 'waiting' | 'leases' | 'sessions' | 'idle' | 'opening' | 'capacity' | 'states'
>;

const NAMES = ['running', 'waiting', 'leases', 'sessions', 'idle', 'opening', 'capacity'] as const;
const STATES = ['ready', 'cooldown', 'login_required', 'disabled'] as const;

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
  const add = (figure: (one: Partial<SummedFigures>) => number | undefined): number =>
    all.reduce((sum, one) => sum + (figure(one) ?? 0), 0);
  const sums = Object.fromEntries(NAMES.map((name) => [name, add((one) => one[name])]));
  const states = Object.fromEntries(STATES.map((state) => [state, add((one) => one.states?.[state])]));
  return { ...sums, states } as SummedFigures;
}
