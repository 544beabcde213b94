import { clausesOf } from './clauses.js';
import { WORDS } from './request-words.js';

/**
 * Whether a message speaks of the layout of a text, such as line breaks, tabs or escapes. It says too little to take a
 * repetition for an answer, unless the layout was changed as well.
 */
export function asksForLayout(message: string): boolean {
  return clausesOf(message).some(({ words }) => words.some((word) => WORDS.layout.has(word)));
}
