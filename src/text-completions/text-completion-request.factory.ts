import { toCompletionRequest, wantsUsage } from '../chat/dto/completion-request.factory.js';
import { type CompletionRequest } from '../chat/interfaces/completion-request.js';
import { type Settings } from '../common/config/settings.js';
import { type Model } from '../models/model.js';
import { type CreateTextCompletionDto } from './create-text-completion.dto.js';

export interface TextCompletionRequest extends CompletionRequest {
  /** Whether the final chunk is to carry `usage`. */
  readonly includeUsage: boolean;
}

/**
 * Turns the wire request into the internal one: the user says the prompt, and no tool is known.
 * @param findModel throws ModelNotFoundError
 * @throws InvalidRequestError whose `param` names the field
 */
export function toTextCompletionRequest(
  dto: CreateTextCompletionDto,
  findModel: (id: string) => Model,
  settings: Settings,
): TextCompletionRequest {
  const messages = [{ role: 'user', content: [dto.prompt].flat().join('') }] as const;
  const chat = { ...dto, messages, tools: null, tool_choice: null, functions: null };
  const request = toCompletionRequest(chat, findModel, settings, false);
  return {
    ...request,
    fieldNames: { ...request.fieldNames, messages: 'prompt' },
    includeUsage: wantsUsage(dto),
  };
}
