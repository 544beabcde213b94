import { describe, expect, it } from '@jest/globals';
import { UpstreamBreaker } from './upstream-breaker.js';

const only = { account: 'a', isOnly: true };

/** Prompts that end at once. */
class Prompts {
  readonly breaker: UpstreamBreaker;

  constructor(isPerModel = true) {
    this.breaker = new UpstreamBreaker(isPerModel);
  }

  fail(model: string, now = 0, count = 1): void {
    for (let at = 0; at < count; at += 1) {
      this.breaker.failed(this.breaker.tryPass(model, now)!, only, now);
    }
  }

  miss(model: string, now = 0, count = 1): void {
    for (let at = 0; at < count; at += 1) {
      this.breaker.unreachable(this.breaker.tryPass(model, now)!, only, now);
    }
  }

  failAt(conversation: string, now: number, count = 1): void {
    for (let at = 0; at < count; at += 1) {
      this.breaker.failed(
        this.breaker.tryPass('big', now, { conversation })!,
        { ...only, conversation },
        now,
      );
    }
  }

  answer(model: string, now = 0): void {
    this.breaker.succeeded(this.breaker.tryPass(model, now)!);
  }

  /** Whether prompts to the models would be refused. */
  open(now: number, ...models: string[]): boolean[] {
    return models.map((model) => this.breaker.isOpen(model, now));
  }
}

describe('UpstreamBreaker', () => {
  it('opens for the model that fails alone', () => {
    const prompts = new Prompts();
    prompts.fail('big', 0, 5);
    expect(prompts.open(0, 'big', 'small')).toEqual([true, false]);
    expect(prompts.breaker.tryPass('big', 0)).toBeUndefined();
    expect(['big', 'small'].map((model) => prompts.breaker.retryAfterMs(model, 4000))).toEqual([6000, 0]);
    prompts.answer('small');
    expect(prompts.open(9999, 'big', 'small')).toEqual([true, false]);
    prompts.answer('big', 10_000);
    expect(prompts.open(10_000, 'big')).toEqual([false]);
  });

  it.each([true, false])(
    'tells of a conversation that fails alone (a breaker for each model: %s)',
    (isPerModel) => {
      const prompts = new Prompts(isPerModel);
      const { breaker } = prompts;
      prompts.failAt('one', 0, 4);
      expect([breaker.refusesForMs(0), breaker.isOfOneConversation]).toEqual([undefined, false]);
      prompts.failAt('one', 0);
      expect([breaker.refusesForMs(0), breaker.isOfOneConversation]).toEqual([10_000, true]);
      prompts.failAt('another', 1);
      expect([breaker.refusesForMs(1), breaker.isOfOneConversation]).toEqual([10_000, false]);
      prompts.answer('big', 10_001);
      expect(breaker.isOfOneConversation).toBe(false);
    },
  );

  it('opens for all models of a site', () => {
    const prompts = new Prompts(false);
    prompts.fail('big', 0, 4);
    prompts.fail('small');
    expect(prompts.open(0, 'big', 'small', 'other')).toEqual([true, true, true]);
    prompts.answer('small', 10_000);
    expect(prompts.open(10_000, 'big')).toEqual([false]);
  });

  it('opens for all models where the upstream cannot be reached by any', () => {
    const prompts = new Prompts();
    ['a', 'b', 'c', 'd'].forEach((model) => prompts.miss(model));
    expect(prompts.open(0, 'a')).toEqual([false]);
    prompts.miss('e');
    expect(prompts.open(0, 'a', 'e', 'other')).toEqual([true, true, true]);
    // One trial for all of them; what fails at its model was reached.
    const trial = prompts.breaker.tryPass('a', 10_000)!;
    expect(prompts.open(10_000, 'a', 'b')).toEqual([true, true]);
    prompts.breaker.failed(trial, only, 10_000);
    expect(prompts.open(10_000, 'a', 'b')).toEqual([false, false]);
  });

  it('lets one trial through for each model, again if it says nothing', () => {
    const prompts = new Prompts();
    prompts.fail('a', 0, 5);
    prompts.fail('b', 0, 5);
    const trials = ['a', 'b'].map((model) => prompts.breaker.tryPass(model, 10_000)!);
    expect(prompts.open(10_000, 'a', 'b', 'c')).toEqual([true, true, false]);
    prompts.breaker.undecided(trials[0]!);
    prompts.breaker.unreachable(trials[1]!, only, 10_000);
    expect(prompts.open(10_000, 'a', 'b')).toEqual([false, false]);
  });

  it('says that the upstream fails once no model has answered since one failed', () => {
    const prompts = new Prompts();
    expect(prompts.breaker.hasServed).toBe(false);
    prompts.fail('big', 0, 5);
    const told = (now: number) => [prompts.breaker.failedForMs(now), prompts.breaker.refusesForMs(now)];
    expect([told(0), told(4000)]).toEqual([
      [0, 10_000],
      [4000, 6000],
    ]);
    // Nothing was sent, so nothing is known of the time after the ten seconds.
    expect(told(3_600_000)).toEqual([10_000, undefined]);
    prompts.fail('big', 65_000);
    expect([told(65_000), told(90_000)]).toEqual([
      [65_000, 10_000],
      [75_000, undefined],
    ]);
    prompts.answer('small', 90_000);
    expect(prompts.breaker.hasServed).toBe(true);
    expect(told(90_000)).toEqual([undefined, undefined]);
    // The one model that fails on says nothing about the whole, until another one fails as well.
    prompts.fail('big', 90_000);
    expect(told(90_000)).toEqual([undefined, undefined]);
    prompts.fail('small', 95_000, 5);
    expect(told(95_000)).toEqual([0, 5000]);
  });

  it('goes on counting the time where what failed to connect fails otherwise then', () => {
    const prompts = new Prompts();
    prompts.miss('a', 0, 5);
    prompts.miss('a', 10_000);
    expect(prompts.breaker.failedForMs(15_000)).toBe(15_000);
    prompts.fail('a', 20_000, 5);
    expect(prompts.breaker.failedForMs(25_000)).toBe(25_000);
  });

  it('forgets a model of many', () => {
    const prompts = new Prompts();
    prompts.fail('first', 0, 5);
    Array.from({ length: 100 }, (_, at) => prompts.fail(`model-${at}`));
    expect(prompts.open(0, 'first')).toEqual([false]);
  });
});
