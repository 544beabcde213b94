import { describe, expect, test } from '@jest/globals';
import { type ArgumentMetadata } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, Min, ValidateNested } from 'class-validator';
import { InvalidRequestError } from '../../errors/gateway.errors.js';
import { ValidationPipe } from './validation.pipe.js';

class OptionsDto {
  @IsInt()
  level!: number;
}

class BodyDto {
  @IsString()
  model!: string;

  messages!: readonly object[];

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(10)
  n?: number | null;
}

class QueryDto {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  limit = 50;

  @IsOptional()
  @ValidateNested()
  @Type(() => OptionsDto)
  options?: OptionsDto;
}

class StrictDto extends QueryDto {
  static readonly refusesUnknown = true;
}

class SelfCheckedDto {
  level!: unknown;

  static validate(dto: SelfCheckedDto): void {
    if (dto.level !== 1) {
      throw new InvalidRequestError('level must be 1.', 'level');
    }
  }
}

const pipe = new ValidationPipe();
const body = (value: unknown, metatype: ArgumentMetadata['metatype'] = BodyDto): unknown =>
  pipe.transform(value, { type: 'body', metatype });
const query = (value: unknown): unknown => pipe.transform(value, { type: 'query', metatype: QueryDto });

describe('ValidationPipe', () => {
  describe('a body', () => {
    test('keeps known fields by reference and drops the others', () => {
      const messages = [{ role: 'user' }];
      const dto = body({ messages, model: 'm', n: null, unknown: 1, toString: 2 }) as BodyDto;
      expect(dto).toBeInstanceOf(BodyDto);
      expect({ ...dto }).toEqual({ model: 'm', messages, n: null });
      expect(dto.messages).toBe(messages);
    });

    test('of a class that refuses unknown fields names them', () => {
      expect(body({ limit: 1 }, StrictDto)).toEqual({ limit: 1, options: undefined });
      expect(() => body({ limit: 1, limits: 2 }, StrictDto)).toThrow(
        new InvalidRequestError("There is no field 'limits' here; there are limit, options.", 'limits'),
      );
    });

    test('cannot change its class through __proto__', () => {
      const value: unknown = JSON.parse('{"model":1,"__proto__":{"model":"m"},"constructor":{"name":"x"}}');
      expect(() => body(value)).toThrow(new InvalidRequestError('model must be a string.', 'model'));
      expect(Object.getPrototypeOf(body(JSON.parse('{"model":"m","__proto__":{}}')))).toBe(BodyDto.prototype);
    });

    test('takes no field from the prototype of the value', () => {
      expect(() => body(Object.create({ model: 'm' }))).toThrow(InvalidRequestError);
    });

    test.each([
      [{}, 'model', 'model must be a string.'],
      [{ model: 5 }, 'model', 'model must be a string.'],
      [{ model: 'm', n: '5' }, 'n', 'n must be an integer number.'],
      [{ model: 'm', n: 1.5 }, 'n', 'n must be an integer number.'],
      [{ model: 'm', n: 0 }, 'n', 'n must not be less than 1.'],
      [{ model: 'm', n: 11 }, 'n', 'n must not be greater than 10.'],
      [{ model: 'm', n: {} }, 'n', 'n must be an integer number.'],
      [{ model: [], n: 0 }, 'model', 'model must be a string.'],
    ])('%j is refused for %s', (value, param, message) => {
      expect(() => body(value)).toThrow(expect.objectContaining({ code: 'invalid_request', param, message }));
    });

    test.each([BodyDto, Object, undefined])('must be there (%p)', (metatype) => {
      expect(() => body(undefined, metatype)).toThrow(
        new InvalidRequestError('The request has no body; a JSON object is expected.'),
      );
    });

    test('is checked by the `validate` of its class in place of rules', () => {
      expect(body({ level: 1, validate: 'x', more: 2 }, SelfCheckedDto)).toEqual({ level: 1 });
      expect(() => body({ level: 2 }, SelfCheckedDto)).toThrow(
        expect.objectContaining({ code: 'invalid_request', param: 'level' }),
      );
    });

    test('without a class passes unchanged', () => {
      const value = { a: 1 };
      expect(body(value, Object)).toBe(value);
    });
  });

  describe('query parameters', () => {
    test('are converted as their class says, with its defaults', () => {
      expect(query({ limit: '20' })).toEqual({ limit: 20 });
      expect(query({})).toEqual({ limit: 50 });
    });

    test.each([
      [{ limit: 'x' }, 'limit'],
      [{ limit: ['1', '2'] }, 'limit'],
      [{ options: { level: 'x' } }, 'options.level'],
    ])('%j is refused', (value, param) => {
      expect(() => query(value)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
    });
  });

  test('of a strict class are refused under names that it does not have', () => {
    const strict = (value: unknown): unknown => pipe.transform(value, { type: 'query', metatype: StrictDto });
    expect(strict({ limit: '3' })).toEqual({ limit: 3 });
    expect(() => strict({ limit: '3', limt: '4' })).toThrow(
      new InvalidRequestError("There is no parameter 'limt' here; there are limit, options.", 'limt'),
    );
    expect(query({ limt: '4' })).toEqual({ limit: 50, limt: '4' });
  });

  test('plain parameters pass', () => {
    expect(pipe.transform('id', { type: 'param', metatype: String, data: 'id' })).toBe('id');
    expect(pipe.transform(1, { type: 'custom', metatype: BodyDto })).toBe(1);
  });
});
