import { isArray } from 'class-validator';
import { LIMIT, PENALTY_RULES, TOP_LOGPROBS_RULES } from '../../chat/dto/create-chat-completion.dto.js';
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
  refuseMessages,
  TEXT,
} from '../../chat/dto/parameter-rules.js';
import { PassedOnFields } from '../../chat/dto/passed-on-fields.js';
import { type FormatFields } from '../../chat/dto/response-format.js';
import { isAbsent } from '../../chat/dto/wire-values.js';
import { isJsonObject } from '../../common/text/json-object.js';

/**
 * Body of `POST /v1/responses` on the wire. Known fields are checked strictly, unknown fields are ignored, and `null`
 * means "not given". `input`, `tools`, `tool_choice` and `text` have readers of their own. Fields that only chat completions
 * have are taken where they say what no other field says: servers have them here as well, and clients mix the formats.
 */
export class CreateResponseDto extends PassedOnFields {
  model!: string;

  input!: unknown;

  instructions?: string | null;

  stream?: boolean | null;

  background?: boolean | null;

  generate?: boolean | null;

  store?: boolean | null;

  previous_response_id?: string | null;

  conversation?: unknown;

  prompt?: unknown;

  temperature?: number | null;

  top_p?: number | null;

  top_logprobs?: unknown;

  context_management?: unknown;

  moderation?: unknown;

  declare presence_penalty?: number | null;

  declare frequency_penalty?: number | null;

  max_output_tokens?: number | null;

  max_tool_calls?: number | null;

  tools?: readonly unknown[] | null;

  tool_choice?: unknown;

  parallel_tool_calls?: boolean | null;

  text?: { readonly format?: unknown; readonly verbosity?: unknown } | null;

  declare reasoning?: { readonly effort?: unknown; readonly summary?: unknown } | null;

  truncation?: string | null;

  include?: readonly unknown[] | null;

  metadata?: Readonly<Record<string, string>> | null;

  user?: string | null;

  declare prompt_cache_key?: string | null;

  declare safety_identifier?: string | null;

  /** This and the following are fields of chat completions. */
  max_tokens?: number | null;

  max_completion_tokens?: number | null;

  seed?: number | null;

  stop?: unknown;

  response_format?: FormatFields['response_format'];

  json_schema?: unknown;

  guided_json?: unknown;

  logprobs?: unknown;

  /**
   * The check that ValidationPipe makes.
   * @throws InvalidRequestError for the first parameter that breaks a rule
   */
  static validate(dto: CreateResponseDto): void {
    refuseMessages(dto, 'input');
    const counting = PARAMETERS.filter(({ field }) => !isOutweighed(field, dto));
    checkParameters(dto, counting);
  }
}

const MAX_METADATA = 16;
const MAX_METADATA_KEY_CHARS = 64;
const MAX_METADATA_CHARS = 512;

const METADATA: ParameterRule = {
  isMet: (value) => {
    const entries = Object.entries(value as object);
    return (
      entries.length <= MAX_METADATA &&
      entries.every(
        ([key, text]) =>
          key.length <= MAX_METADATA_KEY_CHARS &&
          typeof text === 'string' &&
          text.length <= MAX_METADATA_CHARS,
      )
    );
  },
  problem: `must hold at most ${MAX_METADATA} strings of at most ${MAX_METADATA_CHARS} characters, with keys of at most ${MAX_METADATA_KEY_CHARS}`,
};

const LIST: ParameterRule = { isMet: (value) => isArray(value), problem: 'must be an array' };

const isTextOrAbsent = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'string';

const refused = (problem: string): ParameterRule => ({ isMet: () => false, problem });

/** In the order in which faults are reported. */
const PARAMETERS: readonly Parameter<keyof CreateResponseDto>[] = [
  MODEL,
  { field: 'instructions', rules: [TEXT] },
  { field: 'stream', rules: [BOOLEAN] },
  { field: 'background', rules: [BOOLEAN] },
  { field: 'generate', rules: [BOOLEAN] },
  { field: 'store', rules: [BOOLEAN] },
  { field: 'previous_response_id', rules: [TEXT] },
  {
    field: 'conversation',
    rules: [refused('is not kept by this gateway: go on from previous_response_id')],
  },
  {
    field: 'prompt',
    rules: [refused('names a template of a provider: send its text as instructions')],
  },
  { field: 'temperature', rules: [NUMBER, atLeast(0), atMost(2)] },
  { field: 'top_p', rules: [NUMBER, atLeast(0), atMost(1)] },
  { field: 'presence_penalty', rules: PENALTY_RULES },
  { field: 'frequency_penalty', rules: PENALTY_RULES },
  { field: 'top_logprobs', rules: TOP_LOGPROBS_RULES },
  { field: 'max_output_tokens', rules: [INTEGER, atLeast(1)] },
  { field: 'max_completion_tokens', rules: [INTEGER, LIMIT] },
  { field: 'max_tokens', rules: [INTEGER, LIMIT] },
  { field: 'seed', rules: [INTEGER] },
  { field: 'response_format', rules: [OBJECT] },
  { field: 'max_tool_calls', rules: [INTEGER, atLeast(1)] },
  { field: 'parallel_tool_calls', rules: [BOOLEAN] },
  { field: 'text', rules: [OBJECT] },
  {
    field: 'reasoning',
    rules: [
      OBJECT,
      {
        isMet: (value) =>
          isJsonObject(value) && isTextOrAbsent(value.effort) && isTextOrAbsent(value.summary),
        problem: 'must hold effort and summary as strings',
      },
    ],
  },
  {
    field: 'truncation',
    rules: [
      { isMet: (value) => value === 'auto' || value === 'disabled', problem: 'must be auto or disabled' },
    ],
  },
  { field: 'include', rules: [LIST] },
  { field: 'metadata', rules: [OBJECT, METADATA] },
  { field: 'user', rules: [TEXT] },
  { field: 'prompt_cache_key', rules: [TEXT] },
  { field: 'safety_identifier', rules: [TEXT] },
];

const CHAT_LIMITS: ReadonlySet<string> = new Set(['max_completion_tokens', 'max_tokens']);

/** Whether a field of chat completions says nothing, since the one of this format does. */
function isOutweighed(field: keyof CreateResponseDto, dto: CreateResponseDto): boolean {
  return (
    (CHAT_LIMITS.has(field) && !isAbsent(dto.max_output_tokens)) ||
    (field === 'response_format' && !isAbsent(dto.text?.format))
  );
}
