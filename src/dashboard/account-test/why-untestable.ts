import { type Account } from '../../accounts/registry/account.js';

/**
 * Why an account cannot be tested, in words; undefined if it can.
 * @param model the upstream's name of the model that it would be asked for
 * @param holders names of the gateways that use it, as far as they are known
 * @param now monotonic milliseconds
 */
export function whyUntestable(
  account: Account,
  model: string,
  holders: readonly string[],
  now: number,
): string | undefined {
  const { name, cooldown, loginFailure, isHandedOver } = account;
  switch (account.stateAt(now, model)) {
    case 'ready':
      return undefined;
    case 'disabled':
      return `'${name}' is disabled: enable it first.`;
    case 'login_required':
      return isHandedOver
        ? `'${name}' is being logged in by hand.`
        : `'${name}' must be logged in first. ${loginFailure?.message ?? ''}`.trim();
    case 'elsewhere':
      return holders.length > 0
        ? `'${name}' is used by ${holders.join(', ')}: test it there.`
        : `'${name}' is used by another gateway: test it there.`;
    case 'cooldown': {
      const seconds = Math.ceil(cooldown.remainingMs(now, model) / 1000);
      return `'${name}' cools down for another ${seconds} s: clear that, or wait. ${cooldown.cause}`;
    }
  }
}
