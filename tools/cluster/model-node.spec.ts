import { describe, expect, it } from '@jest/globals';
import { ModelEngine } from './model-engine.js';
import { ModelNode } from './model-node.js';

const LEASE_MS = 15_000;
const STEP_MS = 20;

describe('ModelNode', () => {
  it('shares the accounts with others, and takes over those of a node that dies', () => {
    const nodes: ModelNode[] = [];
    const engine = new ModelEngine(6, LEASE_MS, (id) => nodes.find((node) => node.id === id)?.nudge());
    nodes.push(...['a', 'b', 'c'].map((id) => new ModelNode(id, engine, LEASE_MS)));
    const pass = (ms: number): void => {
      for (const end = engine.now + ms; engine.now < end;) {
        engine.now += STEP_MS;
        nodes.forEach((node) => node.step(0, 1));
      }
    };
    const held = (): number[] => nodes.map((node) => node.held);
    pass(60_000);
    expect(held()).toEqual([2, 2, 2]);
    expect(engine.beats / 60 / nodes.length).toBeCloseTo(1, 0);
    nodes[0]!.isAlive = false;
    pass(LEASE_MS + 2000);
    expect(held()).toEqual([0, 3, 3]);
  });
});
