import { z } from 'zod';
import { path, selector, text, urlPattern, when } from './recipe-values.js';

export const pageSign = z
  .strictObject({
    selector: selector.optional().describe('An element that is visible.'),
    url: urlPattern.optional().describe('The address of the page.'),
  })
  .refine((sign) => (sign.selector === undefined) !== (sign.url === undefined), {
    message: 'needs either selector or url',
  });

const responseSign = z
  .strictObject({
    status: z.union([z.int(), z.array(z.int()).min(1)]).optional(),
    header: z.strictObject({ name: text, contains: text.optional() }).optional(),
    body: text.optional().describe('Words in the body, in any case.'),
    when: when.optional(),
  })
  .refine((sign) => Object.values(sign).some((part) => part !== undefined), { message: 'needs a condition' });

const look = {
  response: z.array(responseSign).default([]).describe('Looked for in refusals and in error events.'),
  page: z.array(pageSign).default([]).describe('Looked for on the page.'),
};

const reset = z
  .strictObject({
    header: text.optional(),
    path: path.optional(),
    selector: selector.optional().describe('Element whose text holds the number.'),
    unit: z.enum(['seconds', 'milliseconds', 'minutes', 'unixSeconds', 'unixMilliseconds', 'date']),
  })
  .refine(
    (rule) => [rule.header, rule.path, rule.selector].filter((part) => part !== undefined).length === 1,
    {
      message: 'needs one of header, path, selector',
    },
  )
  .describe('Where the site says when its limit ends.');

/** Signs that a site does not answer. */
export const signs = z.strictObject({
  rateLimit: z.strictObject({ ...look, reset: z.array(reset).default([]) }).prefault({}),
  loginWall: z.strictObject(look).prefault({}),
  tooLong: z.strictObject(look).prefault({}),
  overloaded: z.strictObject(look).prefault({}),
  blocked: z
    .strictObject(look)
    .prefault({})
    .describe('A challenge page; the account stops and asks for help.'),
});

export type Signs = z.output<typeof signs>;
export type PageSign = z.output<typeof pageSign>;
export type ResponseSign = z.output<typeof responseSign>;
export type ResetRule = z.output<typeof reset>;
