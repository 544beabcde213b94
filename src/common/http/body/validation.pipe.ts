import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { InvalidRequestError } from '../../errors/gateway.errors.js';
import { quickCheckOf } from './dto-rules.js';

type DtoClass = new () => object;

const PLAIN_TYPES: ReadonlySet<unknown> = new Set([String, Boolean, Number, Array, Object, undefined]);

/**
 * Checks parameters against the class-validator rules of their class. Unknown fields are left out; the values of
 * known ones are taken by reference, so that a large array is neither copied nor walked here.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  private readonly quickChecks = new Map<DtoClass, ReturnType<typeof quickCheckOf>>();

  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (type === 'body' && value === undefined) {
      throw new InvalidRequestError('The request has no body; a JSON object is expected.');
    }
    if (type === 'custom' || PLAIN_TYPES.has(metatype)) {
      return value;
    }
    const dtoClass = metatype as DtoClass;
    // Query and path values are short texts that a class may convert with `@Type` or `@Transform`.
    const dto =
      type === 'body' ? pickFields(dtoClass, value as object) : plainToInstance(dtoClass, value as object);
    if (this.quickCheck(dtoClass)(dto)) {
      return dto;
    }
    const [error] = validateSync(dto, { validationError: { target: false, value: false } });
    if (error) {
      throw toInvalidRequest(error);
    }
    return dto;
  }

  private quickCheck(dtoClass: DtoClass): ReturnType<typeof quickCheckOf> {
    let check = this.quickChecks.get(dtoClass);
    if (!check) {
      check = quickCheckOf(dtoClass);
      this.quickChecks.set(dtoClass, check);
    }
    return check;
  }
}

/** A new instance with the class's declared fields taken from a parsed JSON object. */
function pickFields(dtoClass: DtoClass, body: object): object {
  const dto = new dtoClass() as Record<string, unknown>;
  for (const field of Object.keys(dto)) {
    if (Object.hasOwn(body, field)) {
      dto[field] = (body as Record<string, unknown>)[field];
    }
  }
  return dto;
}

function toInvalidRequest(error: ValidationError): InvalidRequestError {
  let fault = error;
  let param = fault.property;
  while (fault.constraints === undefined && fault.children?.[0]) {
    fault = fault.children[0];
    param += /^\d+$/.test(fault.property) ? `[${fault.property}]` : `.${fault.property}`;
  }
  // Decorators apply from the bottom up, so the last is the one that stands first in the class: its type.
  const message = Object.values(fault.constraints ?? {}).at(-1) ?? `${param} is not valid`;
  return new InvalidRequestError(`${message}.`, param);
}
