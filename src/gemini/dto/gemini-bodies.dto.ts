import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';

/**
 * Body of the methods that generate an answer on the wire. Known fields are checked strictly, unknown fields are ignored, and
 * `null` means "not given". All but one have two names, as the API has.
 */
export class GenerateContentDto {
  contents!: unknown;

  systemInstruction?: unknown;
  system_instruction?: unknown;

  tools?: unknown;

  toolConfig?: unknown;
  tool_config?: unknown;

  /** Sampling, the form of the answer, and how much the model reasons. */
  generationConfig?: unknown;
  generation_config?: unknown;

  /** The beginning of a conversation that the provider keeps. */
  cachedContent?: unknown;
  cached_content?: unknown;

  /** @throws InvalidRequestError for the first field that breaks a rule */
  static validate(dto: GenerateContentDto): void {
    if (!isAbsent(dto.cachedContent ?? dto.cached_content)) {
      throw invalidField('cachedContent', 'is not known here: send the whole conversation');
    }
  }
}

/** Body of `countTokens` on the wire: contents alone, or the whole request. */
export class CountContentDto extends GenerateContentDto {
  generateContentRequest?: unknown;
  generate_content_request?: unknown;
}
