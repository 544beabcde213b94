import { isArray, isString } from 'class-validator';
import { CHOICE_RULES } from '../chat/dto/choices.js';
import { CreateChatCompletionDto } from '../chat/dto/create-chat-completion.dto.js';
import {
  checkParameters,
  nothingBut,
  type Parameter,
  refuseMessages,
  SUFFIX,
} from '../chat/dto/parameter-rules.js';

/** Body of `POST /v1/completions` on the wire: `prompt` in place of messages, and else as for a chat completion. */
export class CreateTextCompletionDto extends CreateChatCompletionDto {
  prompt!: string | readonly string[];

  suffix?: string | null;

  echo?: boolean | null;

  best_of?: number | null;

  /** @throws InvalidRequestError for the first parameter that breaks a rule */
  static override validate(dto: CreateTextCompletionDto): void {
    refuseMessages(dto, 'prompt');
    checkParameters(dto, PARAMETERS);
    super.validate(dto);
  }
}

const isTexts = (value: unknown): boolean =>
  isString(value) || (isArray(value) && value.length > 0 && value.every((text) => isString(text)));

/** In the order in which faults are reported. */
const PARAMETERS: readonly Parameter<keyof CreateTextCompletionDto>[] = [
  {
    field: 'prompt',
    isRequired: true,
    // Clients send tokens by numbers as well, those of the tokenizer that they have been told to use.
    rules: [
      {
        isMet: isTexts,
        problem: 'must be a string or a list of strings: models number their tokens differently',
      },
    ],
  },
  SUFFIX,
  { field: 'logprobs', rules: [nothingBut(false, 'the gateway passes no probabilities of tokens on')] },
  { field: 'echo', rules: [nothingBut(false, 'the text holds the answer alone')] },
  { field: 'best_of', rules: CHOICE_RULES },
];
