import { PENALTY_RULES } from '../../chat/dto/create-chat-completion.dto.js';
import {
  atLeast,
  atMost,
  BOOLEAN,
  checkParameters,
  INTEGER,
  NUMBER,
  type Parameter,
  type ParameterRule,
} from '../../chat/dto/parameter-rules.js';
import { readStopSequences } from '../../chat/dto/stop-sequence.js';
import { type JsonObject } from '../../common/text/json-object.js';
import { elementsOf, membersOf } from './wire-objects.js';

/** How much the model reasons, and whether that is shown. */
interface ThinkingConfig {
  /** In tokens; 0 for none, -1 as the model likes. */
  readonly thinkingBudget?: number | null;
  readonly thinkingLevel?: string | null;
  readonly includeThoughts?: boolean | null;
}

/** `generationConfig` after its check. */
export interface GenerationConfig {
  readonly temperature?: number | null;
  readonly topP?: number | null;
  readonly topK?: number | null;
  readonly seed?: number | null;
  readonly presencePenalty?: number | null;
  readonly frequencyPenalty?: number | null;
  readonly maxOutputTokens?: number | null;
  readonly responseMimeType?: string | null;
  readonly responseLogprobs?: boolean | null;
  /** In the form of OpenAPI. */
  readonly responseSchema?: unknown;
  readonly responseJsonSchema?: unknown;
  /** Has the type and the schema of the answer in itself. */
  readonly responseFormat?: unknown;
  readonly stopSequences: readonly string[];
  readonly thinkingConfig: ThinkingConfig;
}

/** @throws InvalidRequestError whose `param` names the field */
export function readGenerationConfig(value: unknown): GenerationConfig {
  const config = checkedMembers(value, 'generationConfig', CONFIG);
  const thinkingConfig = checkedMembers(config.thinkingConfig, 'generationConfig.thinkingConfig', THINKING);
  const stopSequences = readStopSequences(elementsOf(config.stopSequences), 'generationConfig.stopSequences');
  return { ...config, stopSequences, thinkingConfig };
}

/**
 * The members of an object, checked.
 * @throws InvalidRequestError whose `param` names the field
 */
export function checkedMembers(value: unknown, param: string, parameters: readonly Parameter[]): JsonObject {
  const members = membersOf(value, param);
  for (const { field, rules } of parameters) {
    checkParameters({ [`${param}.${field}`]: members[field] }, [{ field: `${param}.${field}`, rules }]);
  }
  return members;
}

export function oneOf(...values: readonly string[]): ParameterRule {
  return {
    isMet: (value) => values.includes(value as string),
    problem: `must be one of ${values.join(', ')}`,
  };
}

/** Words of the API, which takes them in small letters as well. */
const LEVELS = oneOf('THINKING_LEVEL_UNSPECIFIED', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'XHIGH');
const LEVEL: ParameterRule = {
  ...LEVELS,
  isMet: (value) => typeof value === 'string' && LEVELS.isMet(value.toUpperCase()),
};

const ONE_ANSWER: ParameterRule = {
  isMet: (value) => value === 1,
  problem: 'must be 1: ask several times for several answers',
};

const TEXT_ALONE: ParameterRule = {
  isMet: (value) => elementsOf(value).every((modality) => modality === 'TEXT'),
  problem: 'must hold "TEXT" alone: the gateway answers in text',
};

const CONFIG: readonly Parameter[] = [
  { field: 'temperature', rules: [NUMBER, atLeast(0), atMost(2)] },
  { field: 'topP', rules: [NUMBER, atLeast(0), atMost(1)] },
  { field: 'topK', rules: [NUMBER, atLeast(0)] },
  { field: 'seed', rules: [INTEGER] },
  { field: 'presencePenalty', rules: PENALTY_RULES },
  { field: 'frequencyPenalty', rules: PENALTY_RULES },
  { field: 'maxOutputTokens', rules: [INTEGER, atLeast(1)] },
  { field: 'candidateCount', rules: [ONE_ANSWER] },
  { field: 'responseMimeType', rules: [oneOf('text/plain', 'application/json')] },
  { field: 'responseModalities', rules: [TEXT_ALONE] },
  { field: 'responseLogprobs', rules: [BOOLEAN] },
];

const THINKING: readonly Parameter[] = [
  { field: 'thinkingBudget', rules: [INTEGER, atLeast(-1)] },
  { field: 'thinkingLevel', rules: [LEVEL] },
  { field: 'includeThoughts', rules: [BOOLEAN] },
];
