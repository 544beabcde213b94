import { type UpstreamAccount } from '../../../src/upstream/upstream-driver.js';

/** An account without saved state, so that the driver logs in. */
export function checkAccount(credentials: Readonly<Record<string, string>>): UpstreamAccount {
  return {
    id: 'check',
    name: 'check',
    login: 0,
    credentials,
    loadState: () => Promise.resolve(undefined),
    saveState: () => undefined,
  };
}
