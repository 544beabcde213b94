import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { planPart } from './plan-part.js';

interface Node {
  held: number;
  told: number;
  used: number;
  wanted: number;
}

/** One node's exchange: what it gives up, what it takes of what is free. Told are the needs that the others know of. */
function exchange(nodes: Node[], at: number, limit: number): void {
  const node = nodes[at]!;
  const taken = sum(nodes.map(({ held }) => held));
  const missing = sum(nodes.map(({ told, held }, other) => (other === at ? 0 : Math.max(0, told - held))));
  const { keep, target, want } = planPart({ ...node, limit, nodes: nodes.length, taken, missing });
  const free = limit - (taken - node.held + keep);
  node.held = keep + Math.max(0, Math.min(target - keep, free));
  node.told = want;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const idle = (): Node => ({ held: 0, told: 0, used: 0, wanted: 0 });
const limits = fc.integer({ min: 1, max: 10_000 });

describe('planPart', () => {
  it('never gives out more than the limit, and never gives up what is in use', () => {
    const step = fc.record({
      at: fc.nat({ max: 4 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      wanted: fc.nat({ max: 20_000 }),
    });
    fc.assert(
      fc.property(
        limits,
        fc.integer({ min: 1, max: 5 }),
        fc.array(step, { maxLength: 60 }),
        (limit, count, steps) => {
          const nodes = Array.from({ length: count }, idle);
          for (const { at, share, wanted } of steps) {
            const node = nodes[at % count]!;
            node.used = Math.floor(share * node.held);
            node.wanted = Math.max(node.used, wanted);
            exchange(nodes, at % count, limit);
            expect(node.held).toBeGreaterThanOrEqual(node.used);
            expect(sum(nodes.map(({ held }) => held))).toBeLessThanOrEqual(limit);
          }
        },
      ),
    );
  });

  it('brings a limit to where it is needed, but for a quarter of the fair part of the others', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 2, max: 5 }), fc.nat({ max: 4 }), (limit, count, chosen) => {
        const nodes = Array.from({ length: count }, idle);
        const rounds = (times: number): void => {
          for (let round = 0; round < times * count; round += 1) {
            exchange(nodes, round % count, limit);
          }
        };
        rounds(3);
        const busy = nodes[chosen % count]!;
        busy.wanted = limit;
        rounds(5);
        const reserve =
          Math.ceil((Math.ceil(limit / count) * 0.25) / Math.ceil(limit / 16)) * Math.ceil(limit / 16);
        expect(busy.held).toBeGreaterThanOrEqual(limit - (count - 1) * reserve);
      }),
    );
  });

  it('divides a limit fairly where all need it, whoever was first', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 2, max: 5 }), (limit, count) => {
        const nodes = [{ ...idle(), held: limit }, ...Array.from({ length: count - 1 }, idle)];
        nodes.forEach((node) => (node.wanted = limit));
        for (let round = 0; round < 10 * count; round += 1) {
          exchange(nodes, round % count, limit);
        }
        const fair = Math.ceil(limit / count);
        expect(Math.max(...nodes.map(({ held }) => held))).toBeLessThanOrEqual(fair);
        expect(Math.min(...nodes.map(({ held }) => held))).toBeGreaterThanOrEqual(limit - (count - 1) * fair);
      }),
    );
  });

  it('gives up what is above a limit that was lowered', () => {
    const view = { nodes: 2, held: 50, taken: 100, used: 10, wanted: 50, missing: 0 };
    expect(planPart({ ...view, limit: 40 }).keep).toBe(20);
    expect(planPart({ ...view, limit: 40, used: 30 }).keep).toBe(30);
  });
});
