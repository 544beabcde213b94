import { InvalidRequestError } from '../../common/errors/gateway.errors.js';

/** Whether a field is not given. Clients of the format send `null` for fields that they do not set. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** The error for one field. @param problem predicate without a full stop, e.g. `must be a string` */
export function invalidField(param: string, problem: string): InvalidRequestError {
  return new InvalidRequestError(`${param} ${problem}.`, param);
}
