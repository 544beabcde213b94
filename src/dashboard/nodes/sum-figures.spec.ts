import { expect, it } from '@jest/globals';
import { type ListedNode } from '../../cluster/node-list.js';
import { sumFigures, type SummedFigures } from './sum-figures.js';

const figures = (of: number): SummedFigures => ({
  running: of,
  waiting: of,
  leases: of,
  sessions: of,
  idle: of,
  opening: of,
  capacity: of,
  states: { ready: of, cooldown: of, login_required: of, disabled: 0 },
});
const node = (id: string, report: ListedNode['report'], seenMsAgo = 100): ListedNode => ({
  id,
  version: '1.0.0',
  isDraining: false,
  seenMsAgo,
  accounts: 1,
  shares: 1,
  report,
});

it('adds what other gateways told to what is known here', () => {
  const nodes = [
    node('own', { ...figures(50) }),
    node('other', { ...figures(20) }),
    node('silent', { ...figures(100) }, 5001),
    node('older', { running: 7 }),
    node('new', null),
  ];
  expect(sumFigures(figures(1), nodes, 'own')).toEqual({ ...figures(21), running: 28 });
});

it('is what is known here where there is one gateway', () => {
  expect(sumFigures(figures(3), [], undefined)).toEqual(figures(3));
});
