import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { InvalidRequestError } from '../../errors/gateway.errors.js';

/** The class of a parameter. */
interface DtoClass {
  new (): object;
  /**
   * Checks an object of the class in place of class-validator's runner, where that would cost too much.
   * @throws InvalidRequestError that names the field
   */
  readonly validate?: (dto: object) => void;
  /** Set where another name is a mistake: whoever misspells a filter, or a limit, believes that it holds. */
  readonly refusesUnknown?: true;
}

const PLAIN_TYPES: ReadonlySet<unknown> = new Set([String, Boolean, Number, Array, Object, undefined]);

/**
 * Checks parameters against the class-validator rules of their class, or by the class's own `validate`. Unknown fields
 * are left out, or refused; the values of known ones are taken by reference, so that a large array is neither copied nor
 * walked.
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (type === 'body' && value === undefined) {
      throw new InvalidRequestError('The request has no body; a JSON object is expected.');
    }
    if (type === 'custom' || PLAIN_TYPES.has(metatype)) {
      return value;
    }
    const dtoClass = metatype as DtoClass;
    if (dtoClass.refusesUnknown) {
      refuseUnknown(dtoClass, value as object, type === 'query' ? 'parameter' : 'field');
    }
    // Query and path values are short texts that a class may convert with `@Type` or `@Transform`.
    const dto =
      type === 'body' ? pickFields(dtoClass, value as object) : plainToInstance(dtoClass, value as object);
    (dtoClass.validate ?? validateRules)(dto);
    return dto;
  }
}

/** A new instance with the class's declared fields taken from a parsed JSON object. */
function pickFields(dtoClass: DtoClass, body: object): object {
  const dto = new dtoClass() as Record<string, unknown>;
  for (const field of Object.keys(body)) {
    if (Object.hasOwn(dto, field)) {
      dto[field] = (body as Record<string, unknown>)[field];
    }
  }
  return dto;
}

function refuseUnknown(dtoClass: DtoClass, values: object, noun: string): void {
  const known = Object.keys(new dtoClass());
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new InvalidRequestError(
      `There is no ${noun} '${unknown.slice(0, 60)}' here; there are ${known.join(', ')}.`,
      unknown.slice(0, 60),
    );
  }
}

function validateRules(dto: object): void {
  const [error] = validateSync(dto, { validationError: { target: false, value: false } });
  if (error) {
    throw toInvalidRequest(error);
  }
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
