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
} from '../../chat/dto/parameter-rules.js';
import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { ThreadUnsupportedError } from '../message-errors.js';

/**
 * Body of `POST /v1/messages/count_tokens` on the wire: what a message is made from. Known fields are checked strictly,
 * unknown fields are ignored, and `null` means "not given".
 */
export class CountTokensDto {
  model!: string;

  messages!: unknown;

  system?: unknown;

  tools?: unknown;

  tool_choice?: unknown;

  thinking?: object | null;

  output_config?: object | null;

  /** Former name of `output_config.format`. */
  output_format?: object | null;

  /** Servers whose tools the provider would run. */
  mcp_servers?: unknown;

  /** Edits of the conversation that the server is to make. */
  context_management?: unknown;

  /** Where tools of the provider would run. */
  container?: unknown;

  /** A conversation that the server is to hold. */
  thread?: object | null;

  /** @throws InvalidRequestError for the first parameter that breaks a rule */
  static validate(dto: CountTokensDto): void {
    checkParameters(dto, INPUT);
    refuseThread(dto);
  }
}

/** Body of `POST /v1/messages` on the wire. */
export class CreateMessageDto extends CountTokensDto {
  /** 0 asks for no answer: providers of the format then only take the prompt into their cache. */
  max_tokens!: number;

  stream?: boolean | null;

  temperature?: number | null;

  top_p?: number | null;

  top_k?: number | null;

  stop_sequences?: unknown;

  /** Asks for a summary of the conversation, as a block that the server has signed, in place of an answer. */
  compaction?: object | null;

  /** @throws InvalidRequestError for the first parameter that breaks a rule */
  static override validate(dto: CreateMessageDto): void {
    super.validate(dto);
    checkParameters(dto, OUTPUT);
    if (!isAbsent(dto.compaction)) {
      throw invalidField('compaction', 'is not supported: ask for a summary in a message of the user');
    }
  }
}

const INPUT: readonly Parameter<keyof CountTokensDto>[] = [
  MODEL,
  { field: 'thinking', rules: [OBJECT] },
  { field: 'output_config', rules: [OBJECT] },
  { field: 'output_format', rules: [OBJECT] },
];

const OUTPUT: readonly Parameter<keyof CreateMessageDto>[] = [
  { field: 'max_tokens', isRequired: true, rules: [INTEGER, atLeast(0)] },
  { field: 'stream', rules: [BOOLEAN] },
  { field: 'temperature', rules: [NUMBER, atLeast(0), atMost(1)] },
  { field: 'top_p', rules: [NUMBER, atLeast(0), atMost(1)] },
  { field: 'top_k', rules: [INTEGER, atLeast(0)] },
];

function refuseThread({ thread }: CountTokensDto): void {
  if (!isAbsent(thread)) {
    throw new ThreadUnsupportedError();
  }
}
