import { type ChatMessage } from '../interfaces/chat-message.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { CHOICE_RULES } from './choices.js';
import {
  atLeast,
  atMost,
  BOOLEAN,
  checkParameters,
  INTEGER,
  MODEL,
  NUMBER,
  OBJECT,
  type Parameter,
  type ParameterRule,
  TEXT,
} from './parameter-rules.js';
import { PassedOnFields } from './passed-on-fields.js';
import { type FormatFields } from './response-format.js';

/**
 * Body of `POST /v1/chat/completions` on the wire. Known fields are checked strictly, unknown fields are ignored, and
 * `null` means "not given", as the format's own clients send it.
 *
 * Rules as decorators would cost 15 µs a request, since class-validator's runner sorts the rules of a class anew for
 * each object, and a class per message 2.5 times the whole request. So `PARAMETERS` calls class-validator's
 * functions, and `messages`, `tools`, `tool_choice`, `stop` and the content of the objects have validators of their own.
 */
export class CreateChatCompletionDto extends PassedOnFields {
  model!: string;

  messages!: readonly ChatMessage[];

  stream?: boolean | null;

  stream_options?: { readonly include_usage?: boolean | null } | null;

  temperature?: number | null;

  top_p?: number | null;

  max_tokens?: number | null;

  max_completion_tokens?: number | null;

  tools?: readonly ToolDefinition[] | null;

  tool_choice?: unknown;

  parallel_tool_calls?: boolean | null;

  stop?: string | readonly string[] | null;

  seed?: number | null;

  n?: number | null;

  response_format?: FormatFields['response_format'];

  /** This and the next are fields of servers for a schema of the answer. */
  json_schema?: unknown;

  guided_json?: unknown;

  user?: string | null;

  metadata?: object | null;

  store?: boolean | null;

  logprobs?: unknown;

  top_logprobs?: unknown;

  moderation?: unknown;

  /** Forms of the answer. */
  modalities?: unknown;

  /** A tool that the provider runs, beside `tools`. */
  web_search_options?: unknown;

  /** The old form of `tools`, which is refused. */
  functions?: unknown;

  /**
   * The check that ValidationPipe makes.
   * @throws InvalidRequestError for the first parameter that breaks a rule
   */
  static validate(dto: CreateChatCompletionDto): void {
    checkParameters(dto, PARAMETERS);
  }
}

/** Of tokens, as of llama.cpp and LM Studio: they know a number for none. */
export const NO_LIMIT = -1;
export const LIMIT = atLeast(1, NO_LIMIT);

export const PENALTY_RULES: readonly ParameterRule[] = [NUMBER, atLeast(-2), atMost(2)];
export const TOP_LOGPROBS_RULES: readonly ParameterRule[] = [INTEGER, atLeast(0), atMost(20)];

/** In the order in which faults are reported. */
const PARAMETERS: readonly Parameter<keyof CreateChatCompletionDto>[] = [
  MODEL,
  { field: 'stream', rules: [BOOLEAN] },
  { field: 'stream_options', rules: [OBJECT] },
  { field: 'temperature', rules: [NUMBER, atLeast(0), atMost(2)] },
  { field: 'top_p', rules: [NUMBER, atLeast(0), atMost(1)] },
  { field: 'frequency_penalty', rules: PENALTY_RULES },
  { field: 'presence_penalty', rules: PENALTY_RULES },
  { field: 'top_logprobs', rules: TOP_LOGPROBS_RULES },
  { field: 'max_tokens', rules: [INTEGER, LIMIT] },
  { field: 'max_completion_tokens', rules: [INTEGER, LIMIT] },
  { field: 'parallel_tool_calls', rules: [BOOLEAN] },
  { field: 'seed', rules: [INTEGER] },
  { field: 'n', rules: CHOICE_RULES },
  {
    field: 'modalities',
    rules: [
      {
        isMet: (value) => !(Array.isArray(value) && value.includes('audio')),
        problem: 'must not hold "audio": the gateway answers in text',
      },
    ],
  },
  { field: 'reasoning_effort', rules: [TEXT] },
  { field: 'response_format', rules: [OBJECT] },
  { field: 'user', rules: [TEXT] },
  { field: 'metadata', rules: [OBJECT] },
  { field: 'store', rules: [BOOLEAN] },
];
