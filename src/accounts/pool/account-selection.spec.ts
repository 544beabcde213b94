import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AccountCandidate, selectAccount } from './account-selection.js';

function candidate(
  name: string,
  leases: number,
  lastUse: number,
  obstacle?: AccountCandidate['obstacle'],
): AccountCandidate {
  return { name, leases, lastUse, obstacle };
}

describe('selectAccount', () => {
  it('takes the fewest leases, then the least recently used, and gives the reason for the others', () => {
    const { chosen, considered } = selectAccount([
      candidate('busy', 2, 1),
      candidate('recent', 1, 9),
      candidate('best', 1, 3),
      candidate('cool', 0, 0, 'cooldown'),
      candidate('full', 0, 0, 'no_free_session'),
    ]);
    expect(chosen?.name).toBe('best');
    expect(considered).toEqual([
      { account: 'busy', outcome: 'more_leases' },
      { account: 'recent', outcome: 'used_more_recently' },
      { account: 'best', outcome: 'chosen' },
      { account: 'cool', outcome: 'cooldown' },
      { account: 'full', outcome: 'no_free_session' },
    ]);
  });

  it('names fifty of many accounts, the chosen one among them, and counts the others', () => {
    const cool = Array.from({ length: 60 }, (_, at) => candidate(`cool${at}`, 0, 0, 'cooldown'));
    const busy = Array.from({ length: 5 }, (_, at) => candidate(`busy${at}`, 2, at));
    const { considered } = selectAccount([...cool, ...busy, candidate('best', 0, 9)]);
    expect(considered).toEqual([
      ...cool.slice(0, 49).map(({ name }) => ({ account: name, outcome: 'cooldown' })),
      { account: 'best', outcome: 'chosen' },
      { others: 11, outcome: 'cooldown' },
      { others: 5, outcome: 'more_leases' },
    ]);
    const refused = selectAccount(cool).considered;
    expect(refused.at(-1)).toEqual({ others: 10, outcome: 'cooldown' });
    expect(refused).toHaveLength(51);
  });

  it('takes none when every account has an obstacle', () => {
    expect(selectAccount([candidate('a', 0, 0, 'disabled')])).toEqual({
      chosen: undefined,
      considered: [{ account: 'a', outcome: 'disabled' }],
    });
  });

  it('never takes an account with an obstacle, and takes the best of the others', () => {
    const one = fc.record({
      name: fc.string(),
      leases: fc.nat(5),
      lastUse: fc.nat(50),
      obstacle: fc.constantFrom(undefined, 'cooldown' as const, 'ramp' as const),
    });
    fc.assert(
      fc.property(fc.array(one), (candidates) => {
        const { chosen } = selectAccount(candidates);
        const free = candidates.filter(({ obstacle }) => obstacle === undefined);
        expect(chosen === undefined).toBe(free.length === 0);
        for (const other of free) {
          expect(chosen!.leases).toBeLessThanOrEqual(other.leases);
          if (chosen!.leases === other.leases) {
            expect(chosen!.lastUse).toBeLessThanOrEqual(other.lastUse);
          }
        }
      }),
    );
  });
});
