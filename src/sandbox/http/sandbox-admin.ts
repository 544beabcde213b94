import { z } from 'zod';
import { isMarkersOnly } from '../model/sandbox-script.js';
import { featuresSchema, type SandboxFeatures } from '../state/sandbox-features.js';
import { type PromptRecord } from '../state/sandbox-records.js';
import { BadRequestError } from './sandbox-requests.js';

/** Prompts that a switch applies to. */
export interface SwitchScope {
  /** Account name; unset means every account. */
  readonly account?: string;
  /** Number of prompts; unset means until cleared. */
  readonly prompts?: number;
}

/** Controls of the running site, for tests and operators. */
export interface SandboxAdmin {
  readonly accounts: readonly { readonly name: string }[];
  /** @param markers as in a prompt, e.g. `[[status:429]][[delay:500]]` */
  setSwitches(markers: string, scope?: SwitchScope): void;
  /** Lifts the challenge and the lock, too. */
  clearSwitches(account?: string): void;
  setFeatures(features: Partial<SandboxFeatures>): void;
  /** Ends an account's logins and refuses new ones until cleared. */
  lock(account: string): void;
  logOutEverywhere(account: string): void;
  report(): { readonly prompts: readonly PromptRecord[]; readonly logins: object };
}

const adminCallSchema = z.strictObject({
  account: z.string().optional(),
  prompts: z.int().min(1).optional(),
  markers: z
    .string()
    .refine(isMarkersOnly, 'must be markers such as [[status:429]] and nothing else')
    .optional(),
  clear: z.literal(true).optional(),
  lock: z.literal(true).optional(),
  log_out: z.literal(true).optional(),
  features: z.record(z.string(), z.unknown()).optional(),
});

/** Carries out the body of `POST /admin/switches`. Throws a `BadRequestError` that names the bad field. */
export function applyAdminCall(body: Record<string, unknown>, admin: SandboxAdmin): void {
  const { account, prompts, markers, clear, lock, log_out: logOut, features } = check(adminCallSchema, body);
  if (account !== undefined && !admin.accounts.some(({ name }) => name === account)) {
    throw new BadRequestError(400, 'invalid_request', `There is no account ${account}.`);
  }
  const partial = features && check(featuresSchema.partial(), camelKeys(features));
  if (clear) {
    admin.clearSwitches(account);
  }
  if (markers !== undefined) {
    admin.setSwitches(markers, { account, prompts });
  }
  if (partial) {
    admin.setFeatures(partial);
  }
  if (account !== undefined && lock) {
    admin.lock(account);
  }
  if (account !== undefined && logOut) {
    admin.logOutEverywhere(account);
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) {
    throw new BadRequestError(400, 'invalid_request', z.prettifyError(result.error));
  }
  return result.data;
}

function camelKeys(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
