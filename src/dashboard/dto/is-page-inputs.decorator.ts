import { ValidateBy } from 'class-validator';
import { VISITOR_KEYS } from '../../common/live-page/page-visitor.js';

const MAX_INPUTS = 100;
/** Of a place or a turn of the wheel; pages are smaller. */
const MAX_PIXELS = 100_000;
const MAX_CHARS = 10_000;
const MAX_BUTTONS = 7;
const MAX_CLICKS = 3;

type Check = (value: unknown) => boolean;

const isPixels: Check = (value) => typeof value === 'number' && Math.abs(value) <= MAX_PIXELS;
const isCount =
  (most: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
const isText: Check = (value) => typeof value === 'string' && value !== '' && value.length <= MAX_CHARS;
const isKey: Check = (value) => (VISITOR_KEYS as readonly unknown[]).includes(value);

const POINTER = { x: isPixels, y: isPixels, buttons: isCount(MAX_BUTTONS), clicks: isCount(MAX_CLICKS) };

/** The fields of each type of input. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  move: POINTER,
  down: POINTER,
  up: POINTER,
  wheel: { x: isPixels, y: isPixels, deltaX: isPixels, deltaY: isPixels },
  text: { text: isText },
  key: { key: isKey, shift: (value) => typeof value === 'boolean' },
};

/** Accepts only a list of at most 100 inputs, as `PageInput` has them. The message never holds a value. */
export function IsPageInputs(): PropertyDecorator {
  return ValidateBy({
    name: 'isPageInputs',
    validator: {
      validate: isPageInputs,
      defaultMessage: () =>
        `$property must be a list of at most ${MAX_INPUTS} inputs: {type: move, down or up, x, y, buttons, clicks}, ` +
        '{type: wheel, x, y, deltaX, deltaY}, {type: text, text} or {type: key, key, shift}',
    },
  });
}

function isPageInputs(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_INPUTS && value.every(isPageInput);
}

function isPageInput(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const { type, ...rest } = value as { type?: unknown; [field: string]: unknown };
  const fields = typeof type === 'string' && Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
  return fields !== undefined && Object.entries(fields).every(([name, fits]) => fits(rest[name]));
}
