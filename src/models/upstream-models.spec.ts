import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SteppedClock } from '../../test/support/gateway/accounts-rig.js';
import { ScriptedDriver } from '../../test/support/upstream/scripted-driver.js';
import { Settings } from '../common/config/settings.js';
import { UnavailableError } from '../upstream/upstream.errors.js';
import { type UpstreamModel } from '../upstream/upstream-driver.js';
import { UpstreamModels } from './upstream-models.js';

/** Lists `m1`, `m2` … one more each time it is asked. */
class ListingDriver extends ScriptedDriver {
  asked = 0;
  isBroken = false;
  failure: Error = new Error('down');

  constructor() {
    super([]);
  }

  override async listModels(): Promise<readonly UpstreamModel[]> {
    this.asked++;
    if (this.isBroken) {
      throw this.failure;
    }
    return Array.from({ length: this.asked }, (_, index) => ({ id: `m${index + 1}` }));
  }
}

describe('UpstreamModels', () => {
  Logger.overrideLogger(false);
  const driver = new ListingDriver();
  const clock = new SteppedClock();
  const start = (changes: Partial<Settings> = {}): UpstreamModels =>
    new UpstreamModels(Object.assign(new Settings(), { PROVIDER: 'openai', ...changes }), driver, clock);
  const ids = (models: UpstreamModels): string[] => models.list().map(({ id }) => id);

  afterEach(() => {
    driver.asked = 0;
    driver.isBroken = false;
  });

  it('reads the list once a minute at most, and once for all who wait', async () => {
    const models = start();
    await Promise.all([models.refresh(), models.refresh()]);
    clock.pass(59_999);
    await models.refresh();
    expect([ids(models), driver.asked]).toEqual([['m1'], 1]);
    clock.pass(1);
    await models.refresh();
    expect([ids(models), driver.asked]).toEqual([['m1', 'm2'], 2]);
  });

  it('keeps the old list where the new one cannot be read', async () => {
    const models = start();
    await models.refresh();
    driver.isBroken = true;
    clock.pass(60_000);
    await models.refresh();
    expect([ids(models), driver.asked]).toEqual([['m1'], 2]);
  });

  it('reads the list again a second after it could not be read, and later each time', async () => {
    const models = start();
    driver.isBroken = true;
    const askedAfter = async (ms: number): Promise<number> => {
      clock.pass(ms);
      await models.refresh();
      return driver.asked;
    };
    expect(await askedAfter(0)).toBe(1);
    expect([await askedAfter(999), await askedAfter(1)]).toEqual([1, 2]);
    expect([await askedAfter(1999), await askedAfter(1)]).toEqual([2, 3]);
    driver.isBroken = false;
    expect([await askedAfter(3999), await askedAfter(1)]).toEqual([3, 4]);
    expect(ids(models)).toEqual(['m1', 'm2', 'm3', 'm4']);
  });

  it.each([
    [
      'no connection',
      new UnavailableError('connect_failed', 'No way.', { cause: new Error('refused') }),
      'Is UPSTREAM_BASE_URL right? No way. refused',
    ],
    [
      'no proxy',
      new UnavailableError('proxy_failed', 'No way.', { cause: new Error('The proxy wants a password.') }),
      'No way. The proxy wants a password.',
    ],
    [
      'no answer in time',
      new DOMException('Too late.', 'TimeoutError'),
      'Is UPSTREAM_BASE_URL right? Too late.',
    ],
    ['no list', new UnavailableError('upstream_status_404', 'None.'), undefined],
    ['no JSON', new SyntaxError('x'), undefined],
  ])('knows whether the upstream answers: %s', async (_what, failure, expected) => {
    const models = start();
    driver.isBroken = true;
    driver.failure = failure;
    await models.refresh();
    expect(models.silence).toBe(expected);
    driver.isBroken = false;
    clock.pass(1000);
    await models.refresh();
    expect(models.silence).toBeUndefined();
  });

  it('makes requests wait for the first list, and reads it anew for each while the upstream is silent', async () => {
    const models = start();
    driver.isBroken = true;
    driver.failure = new UnavailableError('connect_failed', 'No way.');
    await models.untilKnown();
    await models.untilKnown();
    expect(driver.asked).toBe(2);
    driver.isBroken = false;
    await models.untilKnown();
    expect(ids(models)).toEqual(['m1', 'm2', 'm3']);
    await models.untilKnown();
    expect(driver.asked).toBe(3);
  });

  it.each<[string, Partial<Settings>, Error]>([
    ['one model', { UPSTREAM_MODEL: 'mine' }, new UnavailableError('connect_failed', 'No way.')],
    ['an upstream without a list', {}, new UnavailableError('upstream_status_404', 'None.')],
  ])('makes nobody wait with %s', async (_what, changes, failure) => {
    const models = start(changes);
    driver.isBroken = true;
    driver.failure = failure;
    await models.refresh();
    await models.untilKnown();
    expect(driver.asked).toBe(1);
  });

  it('reads the list by itself until the upstream answers, and knows for how long it has not', async () => {
    jest.useFakeTimers();
    try {
      const models = start();
      driver.isBroken = true;
      driver.failure = new UnavailableError('connect_failed', 'No way.');
      models.onApplicationBootstrap();
      await jest.advanceTimersByTimeAsync(0);
      expect([driver.asked, models.silentForMs]).toEqual([1, 0]);
      clock.pass(60_000);
      await jest.advanceTimersByTimeAsync(2000);
      expect([driver.asked, models.silentForMs]).toEqual([2, 60_000]);
      driver.isBroken = false;
      await jest.advanceTimersByTimeAsync(2000);
      expect([driver.asked, models.silentForMs, models.silence]).toEqual([3, undefined, undefined]);
      await jest.advanceTimersByTimeAsync(10_000);
      expect(driver.asked).toBe(3);
      models.onApplicationShutdown();
    } finally {
      jest.useRealTimers();
    }
  });

  it.each<[string, Partial<Settings>]>([
    ['a chat site', { PROVIDER: 'web' }],
    ['a table', { models: { a: { contextWindow: 9, maxOutputTokens: 9, thinking: true } } }],
  ])('asks for none with %s', async (_what, changes) => {
    const models = start(changes);
    await models.refresh();
    expect([ids(models), driver.asked]).toEqual([[], 0]);
  });

  it('asks for none once the gateway stops', async () => {
    const models = start();
    models.onApplicationShutdown();
    await models.refresh();
    expect(driver.asked).toBe(0);
  });

  it('shows a model pictures again ten minutes after it has refused them', () => {
    const models = start();
    models.learnTextOnly('blind');
    clock.pass(599_999);
    expect([models.isTextOnly('blind'), models.isTextOnly('other')]).toEqual([true, false]);
    clock.pass(1);
    expect(models.isTextOnly('blind')).toBe(false);
  });
});
