import { type UpstreamAccount } from '../../../src/upstream/upstream-driver.js';
import { type TemplateValues } from '../../../src/upstream/web/recipe/recipe-template.js';

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

/** The values of an account's placeholders. */
export function accountValues(credentials: Readonly<Record<string, string>>): TemplateValues {
  return Object.fromEntries(Object.entries(credentials).map(([name, value]) => [`account.${name}`, value]));
}
