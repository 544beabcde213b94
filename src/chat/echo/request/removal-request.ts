import { clausesOf } from './clauses.js';
import { WORDS } from './request-words.js';

/**
 * Whether a message speaks of taking something out of a text. It says too little to take a repetition for an answer, unless
 * something of it is missing.
 */
export function asksForRemoval(message: string): boolean {
  return clausesOf(message).some(({ words }) => words.some((word) => WORDS.remove.has(word)));
}
