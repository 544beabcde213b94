import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RetryBudget } from './retry-budget.js';

describe('RetryBudget', () => {
  it('keeps retries to a fifth of the requests and its part of ten, whatever the order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 2000 }),
        fc.integer({ min: 1, max: 20 }),
        (isRequest, nodes) => {
          const budget = new RetryBudget(() => nodes);
          let requests = 0;
          let retries = 0;
          for (const one of isRequest) {
            if (one) {
              budget.deposit();
              requests += 1;
            } else {
              retries += Number(budget.tryWithdraw());
            }
          }
          expect(retries).toBeLessThanOrEqual(requests * 0.2 + 10 / nodes + 1e-9);
        },
      ),
    );
  });

  it('has ten retries at the start and saves up fifty at most', () => {
    const budget = new RetryBudget(() => 1);
    const spend = () => {
      let retries = 0;
      while (budget.tryWithdraw()) {
        retries += 1;
      }
      return retries;
    };
    expect(spend()).toBe(10);
    for (let request = 0; request < 1000; request += 1) {
      budget.deposit();
    }
    expect(spend()).toBe(50);
  });
});
