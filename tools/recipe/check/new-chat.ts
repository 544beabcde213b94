import { randomBytes } from 'node:crypto';
import { EarlierPrompts } from '../../../src/upstream/web/capture/earlier-prompts.js';
import { type PageGuard } from '../../../src/upstream/web/page/page-guard.js';

const LIMITS = { timeoutMs: 10_000, what: 'read the page' };
const FILLER = 'This line is only there to make the prompt long.\n';

/** A word that no other prompt has, and long enough for the driver to know it again. */
export function newMark(): string {
  return randomBytes(16).toString('hex');
}

/** Ends a prompt with a text that no other one has. */
export function markedPrompt(prompt: string, mark: string): string {
  return `${prompt}\n\n(check ${mark})`;
}

/** @param length characters that it is to have, or a few more */
export function secondPrompt(length: number): string {
  return `${FILLER.repeat(Math.ceil(length / FILLER.length))}Say hello again, in other words.`;
}

/**
 * Whether a page shows an earlier conversation: the mark of its prompt, and its answer as far as that can be told from
 * others. Lists of chats show one or the other.
 */
export async function showsConversation(guard: PageGuard, mark: string, answer: string): Promise<boolean> {
  const shown = await guard.run(guard.page.evaluate('document.body.innerText') as Promise<string>, LIMITS);
  const answers = new EarlierPrompts();
  const isTellable = answers.note(answer, answer);
  return shown.includes(mark) && (!isTellable || answers.areIn(shown, ''));
}
