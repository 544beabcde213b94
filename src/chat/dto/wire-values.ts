import { InvalidRequestError } from '../../common/errors/gateway.errors.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The format's clients send `null` for what they do not set. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** @param problem what the field must be, without a full stop, e.g. `must be a string` */
export function invalidField(param: string, problem: string): InvalidRequestError {
  return new InvalidRequestError(`${param} ${problem}.`, param);
}
