import fc from 'fast-check';
import { InvalidRequestError, ModelNotFoundError } from '../../../src/common/errors/gateway.errors.js';
import { damage, withDamage } from './request-arbitraries.js';

const DAMAGES = 7;

/**
 * Tries each body intact, when it must be accepted, and damaged in seven ways, when any error must name the field at fault.
 * @param fields names of those that an error may name
 */
export function expectNamedFaults(
  bodies: fc.Arbitrary<object>,
  check: (body: object) => void,
  fields: readonly string[],
  numRuns: number,
): void {
  const known = new Set(fields);
  const damages = fc.array(damage, { minLength: DAMAGES, maxLength: DAMAGES });
  fc.assert(
    fc.property(bodies, damages, (body, all) => {
      check(body);
      for (const one of all) {
        withDamage(body, one, () => expectNamedFault(() => check(body), known));
      }
    }),
    { numRuns },
  );
}

function expectNamedFault(act: () => void, fields: ReadonlySet<string>): void {
  try {
    act();
  } catch (error) {
    const isKnown = error instanceof InvalidRequestError || error instanceof ModelNotFoundError;
    const param = isKnown ? (error.param ?? '') : '';
    const field = /^\w+/.exec(param)?.[0] ?? '';
    const isNamed = error instanceof ModelNotFoundError || (error as Error).message.startsWith(`${param} `);
    if (!isKnown || !fields.has(field) || !isNamed) {
      throw error;
    }
  }
}
