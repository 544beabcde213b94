import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Cooldown } from './cooldown.js';

function cooling(durationMs: number, now = 0): Cooldown {
  const cooldown = new Cooldown();
  cooldown.extend(durationMs, 'limit', now, 0);
  return cooldown;
}

describe('Cooldown', () => {
  it('holds every lease back until its end', () => {
    const cooldown = cooling(1000, 50);
    expect(cooldown.obstacle(1049.9)).toBe('cooldown');
    expect(cooldown.remainingMs(250)).toBe(800);
    expect(cooldown.nextStartAt(250)).toBe(1050);
    expect(cooldown.obstacle(1050)).toBeUndefined();
  });

  it('is prolonged by a longer one and not changed by a shorter one', () => {
    const cooldown = cooling(1000);
    expect(cooldown.extend(400, 'short', 500, 0)).toBe(false);
    expect(cooldown.cause).toBe('limit');
    expect(cooldown.extend(600, 'long', 500, 0)).toBe(true);
    expect(cooldown.cause).toBe('long');
    expect(cooldown.remainingMs(500)).toBe(600);
  });

  it('ends at most a tenth late by jitter', () => {
    const cooldown = new Cooldown();
    cooldown.extend(1000, 'limit', 0, 0.5);
    expect(cooldown.remainingMs(0)).toBe(1050);
  });

  it('never ends earlier than any rate limit demands, in any order', () => {
    const limits = fc.array(fc.record({ after: fc.nat(500), durationMs: fc.nat(5000) }), { minLength: 1 });
    fc.assert(
      fc.property(limits, (list) => {
        const cooldown = new Cooldown();
        let now = 0;
        let latest = 0;
        for (const { after, durationMs } of list) {
          now += after;
          cooldown.extend(durationMs, 'limit', now, 0);
          latest = Math.max(latest, now + durationMs);
        }
        expect(now + cooldown.remainingMs(now)).toBe(Math.max(now, latest));
      }),
    );
  });

  it("bounds the upstream's own time to a week", () => {
    expect(cooling(1e15).remainingMs(0)).toBe(7 * 24 * 3600 * 1000);
    expect(cooling(-5).remainingMs(0)).toBe(0);
  });
});

describe('Cooldown, of one model', () => {
  const limited = (durationMs: number): Cooldown => {
    const cooldown = new Cooldown();
    cooldown.extend(durationMs, 'limit', 0, 0, { model: 'm' });
    return cooldown;
  };
  const obstacles = (cooldown: Cooldown, now: number) =>
    [undefined, 'm', 'n'].map((model) => cooldown.obstacle(now, model));

  it('holds back the requests for that model, its probe and its ramp included', () => {
    const cooldown = limited(1000);
    expect(obstacles(cooldown, 0)).toEqual(['cooldown', 'cooldown', undefined]);
    expect([cooldown.remainingMs(0), cooldown.remainingMs(0, 'm'), cooldown.remainingMs(0, 'n')]).toEqual([
      1000, 1000, 0,
    ]);
    expect(cooldown.leaseStarted('n')).toBeUndefined();
    expect([cooldown.awaitsProbe(1000, 'm'), cooldown.awaitsProbe(1000, 'n')]).toEqual([true, false]);
    const probe = cooldown.leaseStarted('m')!;
    expect(obstacles(cooldown, 1000)).toEqual(['half_open', 'half_open', undefined]);
    cooldown.probeAnswered(probe, 1000, 4);
    cooldown.leaseStarted('n');
    expect(obstacles(cooldown, 1249)).toEqual(['ramp', 'ramp', undefined]);
    expect(obstacles(cooldown, 1250)).toEqual([undefined, undefined, undefined]);
  });

  it('is prolonged by a longer limit of that model', () => {
    const cooldown = limited(1000);
    expect(cooldown.extend(500, 'short', 0, 0, { model: 'm' })).toBe(false);
    expect(cooldown.extend(2000, 'long', 0, 0, { model: 'm' })).toBe(true);
    expect([cooldown.remainingMs(0, 'm'), cooldown.remainingMs(0, 'n')]).toEqual([2000, 0]);
  });

  it('becomes one of all models by the limit of a second one, until the first end', () => {
    for (const [first, second] of [
      [1000, 300],
      [300, 1000],
    ] as const) {
      const cooldown = limited(first);
      expect(cooldown.extend(second, 'second', 0, 0, { model: 'n' })).toBe(true);
      expect([cooldown.model, cooldown.cause]).toEqual([undefined, 'second']);
      expect(['m', 'n', 'o'].map((model) => cooldown.remainingMs(0, model))).toEqual([300, 300, 300]);
      expect(cooldown.extend(5000, 'third', 100, 0, { model: 'o' })).toBe(false);
      expect(cooldown.extend(5000, 'of the account', 100, 0)).toBe(true);
      expect(cooldown.remainingMs(100, 'm')).toBe(5000);
    }
  });

  it('becomes one of all models for a short time at most, if the limits of two last long', () => {
    const cooldown = limited(3_600_000);
    cooldown.extend(3_600_000, 'second', 0, 0.5, { model: 'n', maxGuessMs: 1000 });
    expect(['m', 'n', 'o'].map((model) => cooldown.remainingMs(0, model))).toEqual([1050, 1050, 1050]);
  });

  it('becomes one of all models by a limit of the account, for as long as that lasts', () => {
    const cooldown = limited(3_600_000);
    cooldown.extend(1000, 'no credit', 0, 0);
    expect(['m', 'n'].map((model) => cooldown.remainingMs(0, model))).toEqual([1000, 1000]);
  });

  it('of all models becomes one of one model, if the probe meets that limit', () => {
    const cooldown = cooling(1000);
    cooldown.leaseStarted('m');
    cooldown.extend(1000, 'of m', 1500, 0, { model: 'm' });
    expect(['m', 'n'].map((model) => cooldown.obstacle(1500, model))).toEqual(['cooldown', undefined]);
  });

  it('is stored with its model, and gone with it', () => {
    const cooldown = limited(1000);
    const restored = new Cooldown();
    restored.restore(cooldown.toStored(0, 5000)!, 0, 5000);
    expect(obstacles(restored, 0)).toEqual(['cooldown', 'cooldown', undefined]);
    expect(cooling(1000).toStored(0, 0)).not.toHaveProperty('model');
    cooldown.clear();
    expect([cooldown.model, ...obstacles(cooldown, 0)]).toEqual(Array(4).fill(undefined));
  });
});

describe('Cooldown, the return', () => {
  it('lets exactly one probe through until it is answered', () => {
    const cooldown = cooling(100);
    const probe = cooldown.leaseStarted();
    expect(probe).toBe(1);
    expect(cooldown.obstacle(5000)).toBe('half_open');
    expect(cooldown.nextStartAt(5000)).toBeUndefined();
  });

  it('lets another probe through when one ended unanswered', () => {
    const cooldown = cooling(100);
    cooldown.probeEnded(cooldown.leaseStarted()!);
    expect(cooldown.obstacle(200)).toBeUndefined();
    expect(cooldown.leaseStarted()).toBe(2);
  });

  it('allows one more lease each 250 ms, and all when as many could run at once', () => {
    const cooldown = cooling(100);
    cooldown.probeAnswered(cooldown.leaseStarted()!, 100, 6);
    const starts: number[] = [];
    for (let now = 100; now < 100 + 6 * 250; now += 10) {
      while (cooldown.obstacle(now) === undefined) {
        cooldown.leaseStarted();
        starts.push(now - 100);
      }
    }
    expect(starts).toEqual([250, 500, 750, 1000, 1250]);
    expect(cooldown.obstacle(1600)).toBeUndefined();
    expect([cooldown.leaseStarted(), cooldown.obstacle(1600), cooldown.cause]).toEqual([
      undefined,
      undefined,
      '',
    ]);
  });

  it('saves unused leases of the ramp, and gives the time of the next start', () => {
    const cooldown = cooling(100);
    cooldown.probeAnswered(cooldown.leaseStarted()!, 100, 4);
    expect(cooldown.nextStartAt(110)).toBe(350);
    cooldown.leaseStarted();
    expect(cooldown.obstacle(620)).toBeUndefined();
    cooldown.leaseStarted();
    expect(cooldown.nextStartAt(620)).toBe(850);
  });

  it('is not begun by a probe that a new cooldown has overtaken', () => {
    const cooldown = cooling(100);
    const first = cooldown.leaseStarted()!;
    cooldown.extend(1000, 'again', 150, 0);
    expect(cooldown.probeAnswered(first, 200, 4)).toBe(false);
    const second = cooldown.leaseStarted()!;
    cooldown.probeEnded(first);
    expect(cooldown.obstacle(2000)).toBe('half_open');
    expect(cooldown.probeAnswered(second, 2000, 4)).toBe(true);
  });

  it('never has two probes at once, under random events', () => {
    const step = fc.constantFrom('start', 'answer', 'end', 'limit', 'wait');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cooldown = cooling(100);
        const out: number[] = [];
        let now = 100;
        for (const name of steps) {
          if (name === 'start' && cooldown.obstacle(now) === undefined) {
            const probe = cooldown.leaseStarted();
            if (probe !== undefined) {
              out.push(probe);
            }
          } else if (name === 'answer' && out.length > 0) {
            cooldown.probeAnswered(out.pop()!, now, 4);
          } else if (name === 'end' && out.length > 0) {
            cooldown.probeEnded(out.pop()!);
          } else if (name === 'limit') {
            // Earlier probes are overtaken.
            cooldown.extend(100, 'limit', now, 0);
            out.length = 0;
          } else {
            now += 130;
          }
          expect(out.length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('Cooldown, stored', () => {
  const stored = cooling(60_000).toStored(0, 1_000_000)!;

  it('ends the probe and the ramp of an older one where another node knows of a new one', () => {
    const stored = { startedAt: 0, until: 60_000, cause: 'again' };
    const probed = cooling(100);
    const probe = probed.leaseStarted()!;
    probed.restore(stored, 200, 0);
    expect(probed.probeAnswered(probe, 300, 4)).toBe(false);
    const ramped = cooling(100);
    ramped.probeAnswered(ramped.leaseStarted()!, 100, 4);
    ramped.restore(stored, 200, 0);
    expect(ramped.awaitsProbe(60_200)).toBe(true);
  });

  it('is kept in wall-clock time until its probe is answered', () => {
    const cooldown = cooling(60_000);
    expect(stored).toEqual({ startedAt: 1_000_000, until: 1_060_000, cause: 'limit' });
    cooldown.probeAnswered(cooldown.leaseStarted()!, 60_000, 4);
    expect(cooldown.toStored(60_000, 1_060_000)).toBeUndefined();
  });

  it.each([
    ['goes on where it was', 1_020_000, 40_000],
    ['is not prolonged by a clock that was set back', 1_000_000 - 3_600_000, 60_000],
    ['is over after a clock that was set forward', 1_000_000 + 3_600_000, 0],
  ])('%s', (_name, wallNow, remainingMs) => {
    const cooldown = new Cooldown();
    cooldown.restore(stored, 7, wallNow);
    expect(cooldown.remainingMs(7)).toBe(remainingMs);
    expect(cooldown.cause).toBe('limit');
    expect(cooldown.obstacle(7 + remainingMs)).toBeUndefined();
    expect(cooldown.leaseStarted()).toBe(1);
  });
});
