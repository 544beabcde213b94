import { z } from 'zod';
import { parseDeepSelectors } from './deep-selector.js';

export const text = z.string().min(1);
export const millis = z.int().min(1).max(600_000);

export const selector = text.describe(
  'CSS selector, with `>>>` into shadow roots; `aria/Name` finds by accessible name, `text/Words` by visible text, ' +
    '`xpath/…` by XPath.',
);
/** A selector of what is read all the time, see `parseDeepSelectors`. */
export const watchedSelector = text.refine((selector) => parseDeepSelectors(selector) !== undefined, {
  message: 'must be CSS, with >>> into shadow roots',
});
/** A selector of what is left out of an element. */
export const css = text.refine(
  (selector) => parseDeepSelectors(selector)?.every(({ length }) => length === 1),
  {
    message: 'must be CSS',
  },
);
export const template = z
  .string()
  .describe('Text with {{site.origin}}, {{account.user}}, {{model}}, {{prompt}} and the like.');
export const urlPattern = template.describe(
  'URL in which * stands for any characters, e.g. {{site.origin}}/api/chat*.',
);
export const path = text.describe(
  'Path into JSON, e.g. choices[0].delta.content, items[-1].text, ["odd.key"], or data{}.text where data is a text ' +
    'that is JSON again.',
);

export const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Whether a text is the address of a site. With a `*` it would match nothing: origins are no patterns. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^*]+$/i.test(text) && URL.canParse(text);
}

const condition = z
  .strictObject({
    path: path.optional(),
    sameAs: text
      .optional()
      .describe(
        'Name of a `bind` rule: the value at the path was bound by it, and the rest of the condition is about ' +
          'the state that was bound with it.',
      ),
    equals: z
      .union([scalar, z.array(scalar).min(1)])
      .optional()
      .describe('The value, or one of several.'),
    contains: text.optional().describe('Part of the text, in any case.'),
    exists: z.boolean().optional(),
  })
  .refine(({ path, sameAs }) => path !== undefined || sameAs !== undefined, {
    message: 'needs path or sameAs',
  })
  .describe('Holds if the value at the path fits; with nothing but a path: if it is there.');

export const when = z.array(condition).min(1).describe('All of these must hold.');

export type Condition = z.output<typeof condition>;
