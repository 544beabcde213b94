import { type LoginFailure } from '../account.js';

/** The text of a login failure in a store. There its fault is called `reason`, as releases before read it. */
export function toStoredLoginFailure(failure: LoginFailure | undefined): string | null {
  if (!failure) {
    return null;
  }
  const { fault: reason, ...rest } = failure;
  return JSON.stringify({ reason, ...rest });
}

export function fromStoredLoginFailure(text: string | null): LoginFailure | undefined {
  if (text === null) {
    return undefined;
  }
  const { reason: fault, ...rest } = JSON.parse(text) as Omit<LoginFailure, 'fault'> & { reason: string };
  return { fault, ...rest };
}
