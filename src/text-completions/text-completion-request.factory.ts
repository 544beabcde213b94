import { eachChoice, MAX_CHOICES } from '../chat/dto/choices.js';
import { toCompletionRequest, wantsUsage } from '../chat/dto/completion-request.factory.js';
import { invalidField } from '../chat/dto/wire-values.js';
import { type ChatMessage } from '../chat/interfaces/chat-message.js';
import { type CompletionRequest } from '../chat/interfaces/completion-request.js';
import { type Settings } from '../common/config/settings.js';
import { type FindModel } from '../models/model.js';
import { type CreateTextCompletionDto } from './create-text-completion.dto.js';

export interface TextCompletionRequest extends CompletionRequest {
  /** Whether the final chunk is to carry `usage`. */
  readonly includeUsage: boolean;
}

/**
 * Turns the wire request into the internal ones, `n` for each prompt.
 * @param findModel throws ModelNotFoundError
 * @throws InvalidRequestError whose `param` names the field
 */
export function toTextCompletionRequests(
  dto: CreateTextCompletionDto,
  findModel: FindModel,
  settings: Settings,
): readonly TextCompletionRequest[] {
  const prompts = [dto.prompt].flat();
  const count = dto.n ?? 1;
  if ((dto.best_of ?? count) !== count) {
    throw invalidField('best_of', 'must be n: the gateway cannot tell which answers are the best');
  }
  if (prompts.length * count > MAX_CHOICES) {
    throw invalidField('prompt', `must not ask for more than ${MAX_CHOICES} answers, n for each text`);
  }
  // Read once: a schema as a text may be long, and prompts may be many.
  const request = toRequest(dto, findModel, settings);
  return prompts.flatMap((prompt) => eachChoice({ ...request, messages: saidByUser(prompt) }, count));
}

function saidByUser(prompt: string): readonly ChatMessage[] {
  return [{ role: 'user', content: prompt }];
}

/** What the requests of all prompts have in common. No tool is known. */
function toRequest(
  dto: CreateTextCompletionDto,
  findModel: FindModel,
  settings: Settings,
): TextCompletionRequest {
  const messages = saidByUser('');
  const chat = { ...dto, messages, tools: null, tool_choice: null, functions: null };
  const request = toCompletionRequest(chat, findModel, settings, false);
  return {
    ...request,
    fieldNames: {
      ...request.fieldNames,
      messages: 'prompt',
      sent: { ...request.fieldNames.sent, messages: 'prompt' },
    },
    includeUsage: wantsUsage(dto),
  };
}
