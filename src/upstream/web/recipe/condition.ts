import { compileJsonPath } from './json-path.js';
import { type Condition } from './recipe-values.js';

export type Predicate = (value: unknown) => boolean;
/** The state that an earlier record bound under a name with an id; undefined if none did. */
export type Recall = (name: string, id: unknown) => unknown;

/**
 * Compiles conditions of a recipe into one test, which holds if all of them hold; an empty list always does.
 * @param recall lookup of the state for `sameAs`; finds nothing by default
 */
export function compileConditions(
  conditions: readonly Condition[] = [],
  recall: Recall = () => undefined,
): Predicate {
  const tests = conditions.map((condition) => compileCondition(condition, recall));
  return (value) => tests.every((test) => test(value));
}

function compileCondition(condition: Condition, recall: Recall): Predicate {
  const { path = '$', equals, contains, exists = true } = condition;
  const read = readerOf(compileJsonPath(path), condition.sameAs, recall);
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

/** Reads the value at a path, or what was bound with it. */
function readerOf(
  read: (value: unknown) => unknown,
  sameAs: string | undefined,
  recall: Recall,
): (value: unknown) => unknown {
  return sameAs === undefined ? read : (value) => recall(sameAs, read(value));
}
