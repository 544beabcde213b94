import { afterEach, describe, expect, it } from '@jest/globals';
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
      new UnavailableError('connect_failed', 'No way.', new Error('refused')),
      'No way. refused',
    ],
    ['no answer in time', new DOMException('Too late.', 'TimeoutError'), 'Too late.'],
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
