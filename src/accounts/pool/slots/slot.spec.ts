import { describe, expect, it } from '@jest/globals';
import { Slot, type SlotState } from './slot.js';

const STEPS: Readonly<Record<Exclude<SlotState, 'opening'>, (slot: Slot) => void>> = {
  idle: (slot) => slot.rest(0),
  leased: (slot) => slot.lease(),
  retired: (slot) => slot.retire(),
};

function slotAfter(...path: (keyof typeof STEPS)[]): Slot {
  const slot = new Slot(0);
  path.forEach((state) => STEPS[state](slot));
  return slot;
}

describe('Slot', () => {
  it('is opened, used again and again, and retired', () => {
    const slot = slotAfter('idle', 'leased', 'idle', 'leased');
    expect(slot.state).toBe('leased');
    slot.retire();
    expect(slot.state).toBe('retired');
  });

  it.each<[keyof typeof STEPS, (keyof typeof STEPS)[]]>([
    ['leased', []],
    ['leased', ['idle', 'leased']],
    ['idle', ['idle']],
    ['idle', ['retired']],
    ['leased', ['idle', 'retired']],
    ['retired', ['retired']],
  ])('does not become %s after %j', (next, path) => {
    const slot = slotAfter(...path);
    expect(() => STEPS[next](slot)).toThrow(`cannot become ${next}`);
  });
});
