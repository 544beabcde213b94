import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { toInteger } from '../../text/integer.js';

interface QueryRange {
  readonly min: number;
  readonly max?: number;
  /** In place of the sentence that names the range. */
  readonly message?: string;
}

/** A whole number of a query, within a range. */
export function IntegerQuery({
  min,
  max = Infinity,
  message = `$property must be an integer from ${min} to ${max}`,
}: QueryRange): PropertyDecorator {
  return applyDecorators(
    ...(max === Infinity ? [] : [Max(max, { message })]),
    Min(min, { message }),
    IsInt({ message }),
    ToInteger(),
  );
}

/** For queries whose format has a message of its own for each rule. */
export function ToInteger(): PropertyDecorator {
  return Transform(({ value }) => toInteger(value));
}
