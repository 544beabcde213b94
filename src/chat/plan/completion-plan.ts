import { type NativeTools } from '../../upstream/upstream-driver.js';
import { type Guard } from '../completion/guard.js';
import { type CondensedMessage } from '../compression/condense-messages.js';
import { type ConversationPrompt } from '../prompt/conversation-prompt.js';

/** Execution plan of one request. */
export interface CompletionPlan {
  readonly prompt: ConversationPrompt;
  /** Tools that the upstream calls itself. */
  readonly nativeTools?: NativeTools;
  /** Corrected tries in the requests that this one repeats, after its connection was dropped for an echo. */
  readonly echoCorrections?: number | undefined;
  /** First to last, in the order in which they see the answer. */
  readonly guards: readonly Guard[];
  /** Tool results that go upstream in a shorter form. */
  readonly condensed: readonly CondensedMessage[];
  /** Number of the oldest messages that are not sent, so that the rest fits. */
  readonly truncatedMessages?: number;
}
