import { describe, expect, it } from '@jest/globals';
import { strategyContext } from '../../../../test/compression/strategy-context.js';
import { jsonStrategy } from './json.strategy.js';

interface Step {
  readonly node: string;
  readonly parallel?: boolean;
  readonly spilled: number;
  readonly steps?: readonly Step[];
}

/** A plan with steps in steps. */
function plan(depth: number, spilled: (depth: number) => number): Step {
  return {
    node: `scan of part ${depth}`,
    ...(depth !== 3 && { parallel: false }),
    spilled: spilled(depth),
    ...(depth > 1 && { steps: [plan(depth - 1, spilled)] }),
  };
}

function condense(value: object): string {
  return jsonStrategy.condense(JSON.stringify(value), strategyContext()) ?? '';
}

describe('members of nested objects', () => {
  it('are said once, with how many objects they were left out of, if they are the same in all', () => {
    const lines = condense({ plan: plan(8, () => 0) }).split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe('[left out of all objects that have it: "parallel":false (7),"spilled":0 (8)]');
    expect(lines[1]).toMatch(/^\{"plan":\{"node":"scan of part 8","steps":\[\{"node":"scan of part 7",/);
  });

  it('stay in all objects if one has another value, and where there are few', () => {
    const condensed = condense({ plan: plan(8, (depth) => (depth === 2 ? 512 : 0)) });
    expect(condensed).toContain('"spilled":512');
    expect(condensed).toContain('{"node":"scan of part 7","spilled":0,');
    const few = { plan: plan(5, () => 0) };
    expect(condense(few)).toBe(JSON.stringify(few));
  });
});
