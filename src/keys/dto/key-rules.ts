import { applyDecorators } from '@nestjs/common';
import { IsInt, Max, Min, ValidateIf } from 'class-validator';

/** A whole number, or null for no limit; may be left out. */
export function LimitField(max: number): PropertyDecorator {
  const message = `$property must be an integer from 1 to ${max}, or null`;
  return applyDecorators(OrNull(), IsInt({ message }), Min(1, { message }), Max(max, { message }));
}

/** Skips the other rules for null, and for a field that was left out. */
export function OrNull(): PropertyDecorator {
  return ValidateIf((_, value) => value !== null && value !== undefined);
}
