import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TransientSet } from './transient-set.js';

const NAMES = ['a', 'b', 'c', 'd', 'e'] as const;

describe('TransientSet', () => {
  it('has the same members as a Set, whatever comes and goes', () => {
    const step = fc.record({ isAdded: fc.boolean(), name: fc.constantFrom(...NAMES) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const objects = new Map(NAMES.map((name) => [name, { name }]));
        const transient = new TransientSet<{ readonly name: string }>();
        const model = new Set<string>();
        for (const { isAdded, name } of steps) {
          const member = objects.get(name)!;
          if (isAdded) {
            transient.add(member);
            model.add(name);
          } else {
            expect(transient.delete(member)).toBe(model.delete(name));
          }
          expect([transient.has(member), transient.size]).toEqual([model.has(name), model.size]);
          expect([...transient].map((each) => each.name).sort()).toEqual([...model].sort());
        }
      }),
    );
  });

  it('visits the members of the moment, though each leaves and another comes meanwhile', () => {
    const set = new TransientSet<{ readonly name: string }>();
    NAMES.forEach((name) => set.add({ name }));
    const visited: string[] = [];
    for (const member of set) {
      visited.push(member.name);
      set.delete(member);
      set.add({ name: 'later' });
    }
    expect(visited).toEqual(NAMES);
    expect([...set].map(({ name }) => name)).toEqual(NAMES.map(() => 'later'));
  });

  it('keeps an object apart in each of two sets', () => {
    const [first, second] = [new TransientSet(), new TransientSet()];
    const member = {};
    first.add(member);
    second.add({});
    second.add(member);
    first.delete(member);
    expect([first.has(member), second.has(member), second.size]).toEqual([false, true, 2]);
  });
});
