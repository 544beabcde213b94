import { UnavailableError } from './upstream.errors.js';

/** Permission to use an account, where several gateways use the same ones. A lease is one. */
export interface SendPermit {
  /** Proof for the upstream, `<share>/<term>`; undefined where no other gateway exists. */
  readonly fence: string | undefined;
  /** False once this gateway may start nothing more with the account. */
  mayBegin(): boolean;
}

/**
 * To be called when nothing stands any more between a prompt and the upstream: a process that was stopped meanwhile, while a
 * connection was made or a page filled in, has lost the account to another one.
 * @throws UnavailableError (`account_handed_over`)
 */
export function assertMayBegin(permit: SendPermit | undefined): void {
  if (permit?.mayBegin() === false) {
    throw new UnavailableError(
      'account_handed_over',
      'The account moved to another gateway before the prompt was sent.',
    );
  }
}
