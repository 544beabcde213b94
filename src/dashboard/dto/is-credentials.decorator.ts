import { ValidateBy } from 'class-validator';
import { isJsonObject } from '../../common/text/json-object.js';

const MAX_FIELDS = 20;
const MAX_CHARS = 10_000;

/** Accepts only an object of 1 to 20 named texts, such as `{ "user": "…", "password": "…" }`. */
export function IsCredentials(): PropertyDecorator {
  return ValidateBy({
    name: 'isCredentials',
    validator: {
      validate: isCredentials,
      defaultMessage: () =>
        `$property must be an object of 1 to ${MAX_FIELDS} texts of at most ${MAX_CHARS} characters each, ` +
        'whose names begin with a letter and have letters, digits, - and _ only',
    },
  });
}

function isCredentials(value: unknown): boolean {
  if (!isJsonObject(value)) {
    return false;
  }
  const fields = Object.entries(value);
  return (
    fields.length > 0 &&
    fields.length <= MAX_FIELDS &&
    fields.every(
      ([name, text]) =>
        /^[a-z][\w-]{0,63}$/i.test(name) && typeof text === 'string' && text.length <= MAX_CHARS,
    )
  );
}
