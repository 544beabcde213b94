import { z } from 'zod';
import { millis, selector, template, text, urlPattern } from './recipe-values.js';

const stepOptions = {
  optional: z
    .boolean()
    .default(false)
    .describe('Skipped when the element does not show at once; waitFor waits its time and then goes on.'),
  timeoutMs: millis.default(10_000),
};

const reach = {
  hidden: z
    .boolean()
    .default(false)
    .describe(
      'The element need not be visible, e.g. in a closed drawer; ' +
        'a click then goes to the element itself instead of to its place on the screen.',
    ),
};

export const step = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('goto'), url: template, ...stepOptions }),
  z.strictObject({ action: z.literal('click'), selector, ...reach, ...stepOptions }),
  z.strictObject({ action: z.literal('fill'), selector, value: template, ...reach, ...stepOptions }),
  z.strictObject({
    action: z.literal('press'),
    key: text.describe('Key name as in KeyboardEvent.key, e.g. Enter.'),
    selector: selector.optional().describe('Element to focus first.'),
    ...stepOptions,
  }),
  z
    .strictObject({
      action: z.literal('waitFor'),
      selector: selector.optional(),
      gone: z.boolean().default(false).describe('Waits until the element is gone instead.'),
      url: urlPattern.optional(),
      ...stepOptions,
    })
    .refine(({ selector, url }) => selector !== undefined || url !== undefined, {
      message: 'needs selector or url',
    }),
  z.strictObject({
    action: z.literal('select'),
    selector,
    value: template.describe('Value or visible text of the option.'),
    ...reach,
    ...stepOptions,
  }),
  z.strictObject({
    action: z.literal('upload'),
    selector: selector.describe('An input of type file.'),
    value: template.describe('Content of the file.'),
    fileName: text,
    ...stepOptions,
  }),
  z.strictObject({
    action: z.literal('request'),
    url: template,
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
    headers: z.record(z.string(), template).default({}),
    body: template.optional(),
    ...stepOptions,
  }),
]);

export const steps = z.array(step).default([]);

export type RecipeStep = z.output<typeof step>;
