import { type ClockReading } from '../../common/time/clock.js';
import { type Account, type AccountState } from '../registry/account.js';

/**
 * The accounts that cannot serve requests for a model, by cause and count, e.g. "1 of 3 accounts is limited until 14:20:05
 * UTC, 2 need a login". Callers read it, so it names no account.
 */
export function describeObstacles(
  accounts: readonly Account[],
  model: string,
  { monotonic, wall }: ClockReading,
): string {
  const inState = (state: AccountState) =>
    accounts.filter((account) => account.stateAt(monotonic, model) === state);
  const cooling = inState('cooldown');
  const lost = inState('login_required');
  const disabled = inState('disabled');
  const elsewhere = inState('elsewhere');
  const until = cooling.length === 0 ? '' : `until ${timeOfDay(wall + firstEndMs(cooling, monotonic), wall)}`;
  const causes = [
    { count: cooling.length, one: `is limited ${until}`, many: `are limited, the first ${until}` },
    { count: lost.length, one: 'needs a login', many: 'need a login' },
    { count: disabled.length, one: 'is disabled', many: 'are disabled' },
    { count: elsewhere.length, one: 'is not held by this gateway', many: 'are not held by this gateway' },
  ].filter(({ count }) => count > 0);
  return causes
    .map(({ count, one, many }, index) => {
      const subject = index === 0 ? `${count} of ${accounts.length} accounts` : String(count);
      return `${subject} ${count === 1 ? one : many}`;
    })
    .join(', ');
}

function firstEndMs(cooling: readonly Account[], monotonic: number): number {
  return Math.min(...cooling.map(({ cooldown }) => cooldown.remainingMs(monotonic)));
}

/** A moment in UTC; with its date if that is not today's. */
function timeOfDay(at: number, now: number): string {
  const [day, time] = isoParts(at);
  return isoParts(now)[0] === day ? `${time} UTC` : `${day} ${time} UTC`;
}

function isoParts(at: number): readonly [day: string, time: string] {
  const iso = new Date(at).toISOString();
  return [iso.slice(0, 10), iso.slice(11, 19)];
}
