import { compileJsonPath } from './json-path.js';
import { type Condition } from './recipe-values.js';

export type Predicate = (value: unknown) => boolean;

/** Compiles conditions of a recipe into one test, which holds if all of them hold; an empty list always does. */
export function compileConditions(conditions: readonly Condition[] = []): Predicate {
  const tests = conditions.map(compileCondition);
  return (value) => tests.every((test) => test(value));
}

function compileCondition({ path, equals, contains, exists = true }: Condition): Predicate {
  const read = compileJsonPath(path);
  if (equals !== undefined) {
    const accepted: readonly unknown[] = Array.isArray(equals) ? equals : [equals];
    return (value) => accepted.includes(read(value));
  }
  if (contains !== undefined) {
    const wanted = contains.toLowerCase();
    return (value) => {
      const found = read(value);
      return typeof found === 'string' && found.toLowerCase().includes(wanted);
    };
  }
  return (value) => (read(value) !== undefined) === exists;
}
