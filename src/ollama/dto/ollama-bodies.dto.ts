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
  SUFFIX,
  TEXT,
} from '../../chat/dto/parameter-rules.js';
import { isAbsent } from '../../chat/dto/wire-values.js';
import { isJsonObject } from '../../common/text/json-object.js';

/**
 * What the bodies of both endpoints have. Known fields are checked strictly, unknown fields are ignored, and `null` means
 * "not given".
 */
export class OllamaBodyDto {
  model!: string;

  /** Default: yes. */
  stream?: boolean | null;

  /** `json`, or a schema of the answer; an empty text is none. */
  format?: unknown;

  /** Sampling, e.g. `temperature`; options of the server that runs models, such as `num_ctx`, have no effect. */
  options?: Readonly<Record<string, unknown>> | null;

  /** Whether the model is to reason, or how much. */
  think?: boolean | string | null;

  /** Asks for the probabilities of tokens, which are not passed on. */
  logprobs?: unknown;

  /** Time to keep the model loaded, which only has a request without a prompt answered as a loading or unloading. */
  keep_alive?: unknown;

  /** @throws InvalidRequestError for the first parameter that breaks a rule */
  static validate(dto: OllamaBodyDto): void {
    checkParameters(dto, PARAMETERS);
    const options = Object.entries(dto.options ?? {}).map(
      ([name, value]) => [`options.${name}`, value] as const,
    );
    checkParameters(Object.fromEntries(options), OPTIONS);
  }
}

/** Body of `POST /api/chat` on the wire. */
export class OllamaChatDto extends OllamaBodyDto {
  messages?: unknown;

  tools?: unknown;
}

/** Body of `POST /api/generate` on the wire. */
export class OllamaGenerateDto extends OllamaBodyDto {
  prompt?: string | null;

  system?: string | null;

  /** In base64. */
  images?: unknown;

  suffix?: string | null;

  /** This and the next two are for a server that runs models, and have no effect. */
  template?: unknown;

  raw?: unknown;

  context?: unknown;

  /** @throws InvalidRequestError for the first parameter that breaks a rule */
  static override validate(dto: OllamaGenerateDto): void {
    super.validate(dto);
    checkParameters(dto, GENERATION);
  }
}

/** Body of `POST /api/show` on the wire; `name` is the former name of `model`. */
export class OllamaShowDto {
  model?: string | null;

  name?: string | null;

  /** @throws InvalidRequestError */
  static validate(dto: OllamaShowDto): void {
    checkParameters({ model: dto.model ?? dto.name }, [MODEL]);
  }
}

/** Whether a request has no prompt, but wants a model loaded. @param prompt text or messages */
export function isLoading(prompt: unknown): boolean {
  return isAbsent(prompt) || prompt === '' || (Array.isArray(prompt) && prompt.length === 0);
}

/** Models have words of their own for how much they reason, so any is passed on. */
const EFFORT: ParameterRule = {
  isMet: (value) => typeof value === 'boolean' || typeof value === 'string',
  problem: 'must be true, false or a word such as "high"',
};

const FORMAT: ParameterRule = {
  isMet: (value) => value === 'json' || value === '' || isJsonObject(value),
  problem: 'must be "json" or a JSON Schema',
};

const PARAMETERS: readonly Parameter<keyof OllamaBodyDto>[] = [
  MODEL,
  { field: 'stream', rules: [BOOLEAN] },
  { field: 'format', rules: [FORMAT] },
  { field: 'options', rules: [OBJECT] },
  { field: 'think', rules: [EFFORT] },
];

const OPTIONS: readonly Parameter[] = [
  { field: 'options.temperature', rules: [NUMBER, atLeast(0), atMost(2)] },
  { field: 'options.top_p', rules: [NUMBER, atLeast(0), atMost(1)] },
  { field: 'options.num_predict', rules: [INTEGER] },
  { field: 'options.seed', rules: [INTEGER] },
];

const GENERATION: readonly Parameter<keyof OllamaGenerateDto>[] = [
  { field: 'prompt', rules: [TEXT] },
  { field: 'system', rules: [TEXT] },
  SUFFIX,
];
