import { isBoolean, isInt, isNumber, isObject, isString, max, maxLength, min } from 'class-validator';
import { MAX_MODEL_CHARS } from '../../common/config/model-table.js';
import { invalidField, isAbsent } from './wire-values.js';

/** Type and range of a parameter. */
export interface ParameterRule {
  readonly isMet: (value: unknown) => boolean;
  readonly problem: string;
}

/** The rules of one parameter; of several the first one that is broken counts. */
export interface Parameter<Field extends string = string> {
  readonly field: Field;
  readonly isRequired?: boolean;
  readonly rules: readonly ParameterRule[];
}

export const TEXT: ParameterRule = { isMet: isString, problem: 'must be a string' };
export const BOOLEAN: ParameterRule = { isMet: isBoolean, problem: 'must be a boolean value' };
export const OBJECT: ParameterRule = { isMet: isObject, problem: 'must be an object' };
export const NUMBER: ParameterRule = { isMet: (value) => isNumber(value), problem: 'must be a number' };
export const INTEGER: ParameterRule = { isMet: isInt, problem: 'must be an integer number' };

/** @param exception the one number below that has a meaning of its own */
export const atLeast = (least: number, exception?: number): ParameterRule => ({
  isMet: (value) => min(value, least) || (exception !== undefined && value === exception),
  problem: `must not be less than ${least}`,
});

export const atMost = (most: number): ParameterRule => ({
  isMet: (value) => max(value, most),
  problem: `must not be greater than ${most}`,
});

/** A parameter that may be sent as long as it asks for nothing. @param why it is not supported */
export const nothingBut = (nothing: unknown, why: string): ParameterRule => ({
  isMet: (value) => value === nothing,
  problem: `is not supported: ${why}`,
});

/** The text behind the gap that a completion model fills. */
export const SUFFIX: Parameter<'suffix'> = {
  field: 'suffix',
  rules: [nothingBut('', 'models behind this gateway chat, and fill no gap')],
};

/** The name of a model, which every completion needs. */
export const MODEL: Parameter<'model'> = {
  field: 'model',
  isRequired: true,
  rules: [
    TEXT,
    { isMet: (value) => value !== '', problem: 'must not be empty' },
    {
      isMet: (value) => maxLength(value, MAX_MODEL_CHARS),
      problem: `must be shorter than or equal to ${MAX_MODEL_CHARS} characters`,
    },
  ],
};

/**
 * Sends the body of a chat completion to its endpoint.
 * @param field that the body has in place of messages
 */
export function refuseMessages(body: object, field: string): void {
  const { [field]: own, messages } = body as Readonly<Record<string, unknown>>;
  if (isAbsent(own) && !isAbsent(messages)) {
    throw invalidField(field, 'is required: messages go to /v1/chat/completions');
  }
}

/**
 * Checks the parameters of a body in their order; one that is null counts as not given.
 * @throws InvalidRequestError for the first that breaks a rule
 */
export function checkParameters<Field extends string>(
  body: Readonly<Partial<Record<Field, unknown>>>,
  parameters: readonly Parameter<Field>[],
): void {
  for (const { field, isRequired, rules } of parameters) {
    const value = body[field];
    const absent = isRequired ? 'is required' : undefined;
    const problem = isAbsent(value) ? absent : rules.find(({ isMet }) => !isMet(value))?.problem;
    if (problem !== undefined) {
      throw invalidField(field, problem);
    }
  }
}
