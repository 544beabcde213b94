import { z } from 'zod';
import { capture } from './capture-rules.js';
import { pageSign, signs } from './recipe-signs.js';
import { step, steps } from './recipe-step.js';
import { isWebAddress, millis, selector, template, text } from './recipe-values.js';

const prompt = z.strictObject({
  input: selector,
  method: z
    .enum(['fill', 'paste', 'request'])
    .default('fill')
    .describe(
      'fill: sets the value; paste: as from the clipboard, for rich editors; ' +
        'request: a placeholder is filled in and replaced by the prompt in the outgoing body or frame.',
    ),
  prefix: z.string().default('').describe('Text put before every prompt.'),
  timeoutMs: millis.default(10_000).describe('Limit of each thing done with the input, in ms.'),
  attachment: z
    .strictObject({
      above: z.int().positive().describe('Length in characters above which the prompt goes as a file.'),
      selector: selector.describe('An input of type file.'),
      fileName: text.default('prompt.txt'),
      text: text.describe('What is put into the input instead.'),
      ready: selector.optional().describe('Appears once the file is attached.'),
    })
    .optional(),
  images: z
    .strictObject({
      selector: selector.describe('An input of type file.'),
      attached: selector
        .optional()
        .describe(
          'Fits one element for each image that the site has taken; the prompt is sent once all are there.',
        ),
      most: z.int().positive().default(10).describe('Images that the site takes with one prompt.'),
    })
    .optional()
    .describe('How images go with a prompt; without it, only text does.'),
});

const ORIGIN_FAULT = 'needs scheme and host alone, e.g. https://chat.example';

/** A path would be lost, since pages are named by the origin alone. */
function isOrigin(text: string): boolean {
  return isWebAddress(text) && new URL(text).href === `${new URL(text).origin}/`;
}

/** Recipe of a chat site. The published JSON Schema is made from this (docs/site-recipe.schema.json). */
export const siteRecipe = z.strictObject({
  $schema: z.string().optional(),
  name: text,
  authorised: z
    .strictObject({
      by: text.describe('Who allowed the automation of this site.'),
      note: text.describe('On what ground, e.g. "our own server" or a contract.'),
    })
    .describe('Recipes are for sites that the operator is authorised to automate.'),
  origin: z
    .url({ error: ORIGIN_FAULT, abort: true })
    .refine(isOrigin, { error: ORIGIN_FAULT })
    .optional()
    .describe('Where the site is: the value of {{site.origin}} in the rest.'),
  allowedOrigins: z.array(template).min(1).describe('The only origins that pages may reach.'),
  privateNetwork: z
    .boolean()
    .default(false)
    .describe(
      'Whether the names in allowedOrigins may lead to private addresses, such as 10.0.0.8. Origins that ' +
        'name an address or localhost need it not.',
    ),
  windows: z
    .enum(['close', 'keep'])
    .default('close')
    .describe(
      'close: windows that a page opens are closed at once; keep: with the page, for logins in a window.',
    ),
  login: z.strictObject({
    when: z
      .enum(['wall', 'unsaved'])
      .default('wall')
      .describe(
        'wall: the steps run where the site shows a login wall; unsaved: also before the first chat of an account ' +
          'whose login is not kept, for sites that show no wall and only refuse the prompt.',
      ),
    steps,
    success: pageSign,
    failure: z.array(pageSign).default([]),
    timeoutMs: millis.default(20_000),
  }),
  dismiss: z.array(selector).default([]).describe('Things to click away when they are there.'),
  newChat: z.strictObject({
    url: template.describe('Page of a new conversation, or one from which the steps lead there.'),
    steps,
    landed: selector
      .optional()
      .describe('Visible once the steps can begin; by default the first element that they name, or `ready`.'),
    ready: selector.describe('Visible once a prompt can be entered.'),
    timeoutMs: millis.default(20_000),
  }),
  model: steps.describe('Chooses {{model}}.'),
  thinking: z.strictObject({ on: steps, off: steps }).default({ on: [], off: [] }),
  prompt,
  send: z.array(step).min(1),
  stop: steps.describe('Run when a caller leaves and closing the page alone does not stop the site.'),
  stopTimeoutMs: millis.default(1000).describe('Limit of all steps of `stop`, in ms.'),
  cleanUp: steps.describe(
    'Run once the prompt is out, however its answer ends, e.g. to delete the conversation.',
  ),
  capture,
  signs: signs.prefault({}),
});

export type SiteRecipe = z.output<typeof siteRecipe>;
