import { loweredToAnswerLimit } from '../../chat/dto/answer-limit.js';
import { toCompletionRequest } from '../../chat/dto/completion-request.factory.js';
import { type CreateChatCompletionDto, NO_LIMIT } from '../../chat/dto/create-chat-completion.dto.js';
import { type FieldPlaces, sentFields } from '../../chat/dto/fields/sent-fields.js';
import { mediaTakenBy } from '../../chat/dto/media/media-parts.js';
import { isAbsent } from '../../chat/dto/wire-values.js';
import { type CompletionRequest } from '../../chat/interfaces/completion-request.js';
import { type Settings } from '../../common/config/settings.js';
import { type JsonObject } from '../../common/text/json-object.js';
import { type FindModel } from '../../models/model.js';
import { answerForm } from './answer-form.js';
import { type GenerateContentDto } from './gemini-bodies.dto.js';
import { fromContents } from './gemini-contents.js';
import { toGeminiTools } from './gemini-tools.js';
import { type GenerationConfig, readGenerationConfig } from './generation-config.js';
import { inCamelCase } from './wire-objects.js';

/** A request, and what only the answer of these endpoints needs. */
export interface GeminiRequest extends CompletionRequest {
  readonly includesThoughts: boolean;
}

/** What the path of a request says. */
export interface GeminiCall {
  readonly model: string;
  readonly stream: boolean;
}

const PLACES: FieldPlaces = {
  messages: ['contents'],
  tool_choice: ['toolConfig'],
  temperature: ['generationConfig.temperature'],
  top_p: ['generationConfig.topP'],
  top_k: ['generationConfig.topK'],
  max_tokens: ['generationConfig.maxOutputTokens'],
  stop: ['generationConfig.stopSequences'],
  seed: ['generationConfig.seed'],
  presence_penalty: ['generationConfig.presencePenalty'],
  frequency_penalty: ['generationConfig.frequencyPenalty'],
  reasoning_effort: ['generationConfig.thinkingConfig'],
  response_format: [
    'generationConfig.responseFormat',
    'generationConfig.responseJsonSchema',
    'generationConfig.responseSchema',
    'generationConfig.responseMimeType',
  ],
};

/**
 * Turns the wire request into the internal one.
 * @param findModel throws ModelNotFoundError
 * @throws InvalidRequestError whose `param` names the field
 */
export function toGeminiRequest(
  dto: GenerateContentDto | JsonObject,
  { model: name, stream }: GeminiCall,
  findModel: FindModel,
  settings: Settings,
): GeminiRequest {
  const {
    contents,
    systemInstruction,
    tools: offered,
    toolConfig,
    generationConfig,
  } = inCamelCase({ ...dto });
  const config = readGenerationConfig(generationConfig);
  const messages = fromContents(
    systemInstruction,
    contents,
    mediaTakenBy(() => findModel(name)),
  );
  const tools = toGeminiTools(offered, toolConfig);
  const format = answerForm(config);
  const chat = {
    model: name,
    // The conversation is read above, where its errors name the caller's own fields.
    messages: [{ role: 'user', content: '' }],
    ...samplingOf(config),
    ...thinkingOf(config),
    max_tokens: isAbsent(config.maxOutputTokens)
      ? NO_LIMIT
      : loweredToAnswerLimit(config.maxOutputTokens, findModel(name)),
    response_format: format.value,
  } satisfies CreateChatCompletionDto;
  return {
    ...toCompletionRequest(chat, findModel, settings, stream),
    messages,
    ...tools,
    fieldNames: {
      messages: 'contents',
      schema: format.param,
      sent: sentFields({ contents, tools: offered, toolConfig, generationConfig: config }, PLACES),
    },
    ignoredFields: config.responseLogprobs ? ['generationConfig.responseLogprobs'] : [],
    includesThoughts: config.thinkingConfig.includeThoughts ?? false,
  };
}

function samplingOf(config: GenerationConfig): Partial<CreateChatCompletionDto> {
  return {
    temperature: config.temperature,
    top_p: config.topP,
    top_k: config.topK,
    seed: config.seed,
    presence_penalty: config.presencePenalty,
    frequency_penalty: config.frequencyPenalty,
    stop: config.stopSequences,
  };
}

/** A level counts before a budget, which models of before have. */
function thinkingOf({
  thinkingConfig: { thinkingLevel: level, thinkingBudget: budget },
}: GenerationConfig): Pick<CreateChatCompletionDto, 'thinking' | 'reasoning_effort'> {
  const effort = level?.toLowerCase();
  if (effort !== undefined && effort !== 'thinking_level_unspecified') {
    return { reasoning_effort: effort };
  }
  if (isAbsent(budget)) {
    return {};
  }
  return { thinking: budget === 0 ? false : { budget_tokens: budget } };
}
