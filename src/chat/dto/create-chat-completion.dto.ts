import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { type ToolChoice, type ToolDefinition } from '../interfaces/tool-definition.js';

const NUMBER = '$property must be a number';

/**
 * Body of `POST /v1/chat/completions` on the wire. Known fields are checked strictly, unknown fields are ignored, and
 * `null` means "not given", as the format's own clients send it. `messages`, `tools`, `stop` and `response_format` are
 * checked in `toCompletionRequest`, because a class for each message would cost 2.5 times the whole request.
 */
export class CreateChatCompletionDto {
  @IsString()
  @IsNotEmpty({ message: 'model must not be empty' })
  @MaxLength(200)
  model!: string;

  messages!: readonly ChatMessage[];

  @IsOptional()
  @IsBoolean()
  stream?: boolean | null;

  @IsOptional()
  @IsObject()
  stream_options?: { readonly include_usage?: boolean | null } | null;

  @IsOptional()
  @IsNumber({}, { message: NUMBER })
  @Min(0)
  @Max(2)
  temperature?: number | null;

  @IsOptional()
  @IsNumber({}, { message: NUMBER })
  @Min(0)
  @Max(1)
  top_p?: number | null;

  @IsOptional()
  @IsInt()
  @Min(1)
  max_tokens?: number | null;

  @IsOptional()
  @IsInt()
  @Min(1)
  max_completion_tokens?: number | null;

  tools?: readonly ToolDefinition[] | null;

  tool_choice?: ToolChoice | null;

  @IsOptional()
  @IsBoolean()
  parallel_tool_calls?: boolean | null;

  stop?: string | readonly string[] | null;

  @IsOptional()
  @IsInt()
  seed?: number | null;

  @IsOptional()
  @IsIn([1], { message: 'n must be 1: the gateway gives one answer a request' })
  n?: number | null;

  @IsOptional()
  @IsString()
  reasoning_effort?: string | null;

  @IsOptional()
  @IsObject()
  response_format?: { readonly type: string; readonly json_schema?: object } | null;

  @IsOptional()
  @IsString()
  user?: string | null;

  @IsOptional()
  @IsObject()
  metadata?: object | null;

  @IsOptional()
  @IsBoolean()
  store?: boolean | null;
}
