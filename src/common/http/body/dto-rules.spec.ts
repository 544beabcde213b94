import { describe, expect, test } from '@jest/globals';
import {
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { quickCheckOf } from './dto-rules.js';

class PlainDto {
  @IsString()
  @MaxLength(3)
  name!: unknown;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(10)
  count?: unknown;

  @ValidateIf(({ name }: PlainDto) => name === 'if')
  @IsString()
  reason?: unknown;

  free?: unknown;
}

class InnerDto {
  @IsInt()
  level!: unknown;
}

class NestedDto {
  @ValidateNested()
  inner!: InnerDto;
}

class EachDto {
  @IsString({ each: true })
  names!: unknown;
}

class NoRulesDto {
  free?: unknown;
}

describe('quickCheckOf', () => {
  test('agrees with class-validator about every object of a class with plain rules', () => {
    const check = quickCheckOf(PlainDto);
    const value = fc.oneof(
      fc.constantFrom(undefined, null, 'if', '', 'long', NaN, 0, 1, 10, 11, 1.5, true),
      fc.array(fc.constant('a')),
    );
    const fields = fc.record({ name: value, count: value, reason: value, free: value }, { requiredKeys: [] });
    fc.assert(
      fc.property(fields, (given) => {
        const dto = Object.assign(new PlainDto(), given);
        expect(check(dto)).toBe(validateSync(dto).length === 0);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['nested objects', NestedDto, { inner: Object.assign(new InnerDto(), { level: 1 }) }],
    ['elements', EachDto, { names: ['a'] }],
    ['nothing', NoRulesDto, {}],
  ])('leaves rules about %s to class-validator', (_what, dtoClass, fields) => {
    expect(quickCheckOf(dtoClass)(Object.assign(new dtoClass(), fields))).toBe(false);
  });
});
