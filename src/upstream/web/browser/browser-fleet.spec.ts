import { describe, expect, it } from '@jest/globals';
import { RateLimitedError, UnavailableError, type UpstreamError } from '../../upstream.errors.js';
import { BrowserFleet } from './browser-fleet.js';
import { type LaunchedBrowser } from './launched-browser.js';

const ACCOUNTS = Array.from({ length: 300 }, (_, at) => `account-${at}`);

/** A supervisor whose browser is only a name. */
class Place {
  outage: UpstreamError | undefined;
  /** Error that refuses its browser, although it counts as healthy. */
  refusal: UpstreamError | undefined;
  asked = 0;
  readonly member: { readonly key: string; readonly supervisor: Place };

  constructor(readonly key: string) {
    this.member = { key, supervisor: this };
  }

  browser(): Promise<LaunchedBrowser> {
    this.asked++;
    const error = this.outage ?? this.refusal;
    return error ? Promise.reject(error) : Promise.resolve(this.key as unknown as LaunchedBrowser);
  }

  suspect(): void {}

  stopStarting(): void {}

  async close(): Promise<void> {}
}

function fleetOf(places: readonly Place[]): BrowserFleet {
  const [first, ...others] = places.map(({ member }) => member);
  return new BrowserFleet([first!, ...others]);
}

/** The key of each account's place. */
async function spread(fleet: BrowserFleet): Promise<string[]> {
  return Promise.all(ACCOUNTS.map(async (id) => (await fleet.browser(id)) as unknown as string));
}

describe('BrowserFleet', () => {
  it('spreads accounts, the same way whatever the order of the endpoints', async () => {
    const places = ['a', 'b', 'c'].map((key) => new Place(key));
    const chosen = await spread(fleetOf(places));
    for (const key of ['a', 'b', 'c']) {
      const share = chosen.filter((one) => one === key).length;
      expect(share).toBeGreaterThan(ACCOUNTS.length / 5);
    }
    expect(await spread(fleetOf(places.toReversed()))).toEqual(chosen);
  });

  it('moves the accounts of a lost endpoint only, to all the others, and back', async () => {
    const places = ['a', 'b', 'c'].map((key) => new Place(key));
    const [lost] = places;
    const fleet = fleetOf(places);
    const before = await spread(fleet);
    lost!.outage = new UnavailableError('browser_crashed', 'gone');
    const during = await spread(fleet);
    const kept = during.map((key, at) => (before[at] === 'a' ? 'a' : key));
    expect(kept).toEqual(before);
    expect(new Set(during.filter((_, at) => before[at] === 'a'))).toEqual(new Set(['b', 'c']));
    lost!.outage = undefined;
    expect(await spread(fleet)).toEqual(before);
  });

  it('asks an endpoint that is out only if no other has a browser', async () => {
    const [out, full] = [new Place('a'), new Place('b')];
    out.outage = new UnavailableError('launch_failed', 'out');
    const fleet = fleetOf([out, full]);
    await spread(fleet);
    expect(out.asked).toBe(0);
    full.refusal = new RateLimitedError(5000, { message: 'full' });
    const failures = await Promise.all(
      ACCOUNTS.map((id) => fleet.browser(id).catch((error: Error) => error.message)),
    );
    // Each account is told of its own endpoint.
    expect(new Set(failures)).toEqual(new Set(['out', 'full']));
    expect(out.asked).toBe(ACCOUNTS.length);
  });

  it('is out once every endpoint is', () => {
    const [one, other] = [new Place('a'), new Place('b')];
    const fleet = fleetOf([one, other]);
    const lost = new UnavailableError('browser_hung', 'hung');
    expect(fleet.partialOutages).toEqual([]);
    one.outage = lost;
    expect([fleet.outage, fleet.partialOutages]).toEqual([undefined, [lost]]);
    other.outage = new UnavailableError('launch_failed', 'out');
    expect([fleet.outage, fleet.partialOutages]).toEqual([lost, []]);
  });
});
