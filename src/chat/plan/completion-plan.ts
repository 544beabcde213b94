import { type RequestDetails } from '../../logs/logs.service.js';
import { type NativeTools } from '../../upstream/upstream-driver.js';
import { type Answer } from '../completion/answer.js';
import { type GuardFactory } from '../completion/guard.js';
import { type ConversationPrompt } from '../prompt/conversation-prompt.js';

/** How one request is carried out. */
export interface CompletionPlan {
  readonly prompt: ConversationPrompt;
  /** Tools that the upstream calls itself. */
  readonly nativeTools?: NativeTools;
  /** What looks at the answer before the caller gets it, first to last; asked for a stage for each answer. */
  readonly guards: readonly GuardFactory[];
  /** The answer may be given up, so nothing is committed before the guards let its first piece through. */
  readonly isGuarded: boolean;
  /** To be called when the caller has a whole answer. */
  answered(): void;
  /** What the log should know of the plan and what came of it. */
  details(answer: Answer): RequestDetails;
}
