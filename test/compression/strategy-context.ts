import { type StrategyContext } from '../../src/chat/compression/kit/strategy.js';
import { readToolUse } from '../../src/chat/compression/kit/tool-use.js';

/** Context for a strategy by itself. Nested texts come back in capitals, so that a test can see them. */
export function strategyContext(name = 'fetch', values: object = {}): StrategyContext {
  return {
    use: readToolUse({ name, arguments: JSON.stringify(values) }),
    nested: (text) => text.toUpperCase(),
  };
}

/** The integers from `from` to `to`, both included. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
