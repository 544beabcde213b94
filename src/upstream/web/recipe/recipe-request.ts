import { type RecipeStep } from './recipe-step.js';
import { fillTemplate, type TemplateValues } from './recipe-template.js';

type RequestStep = Pick<Extract<RecipeStep, { action: 'request' }>, 'url' | 'method' | 'headers' | 'body'>;

export interface FilledRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Fills in the placeholders of a request. A value is escaped as its place needs it, so that it cannot end the text that it
 * stands in: a password may hold quotes, and a prompt line breaks.
 */
export function fillRequest(
  { url, method, headers, body }: RequestStep,
  values: TemplateValues,
): FilledRequest {
  const filled = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, fillTemplate(value, values)]),
  );
  return {
    url: fillTemplate(url, values, inUrl),
    method,
    headers: filled,
    ...(body !== undefined && { body: fillTemplate(body, values, escapeFor(contentType(filled))) }),
  };
}

type Escape = (value: string, name: string) => string;

const asIs: Escape = (value) => value;
const inJson: Escape = (value) => JSON.stringify(value).slice(1, -1);
const inForm: Escape = (value) => encodeURIComponent(value.toWellFormed());
/** Those of the site are addresses by themselves. */
const inUrl: Escape = (value, name) => (name.startsWith('site.') ? value : inForm(value, name));

function escapeFor(type: string): Escape {
  if (/^application\/(?:.+\+)?json$/.test(type)) {
    return inJson;
  }
  return type === 'application/x-www-form-urlencoded' ? inForm : asIs;
}

/** The content type without its parameters. */
function contentType(headers: Readonly<Record<string, string>>): string {
  const [, value = ''] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return value.split(';', 1)[0]!.trim().toLowerCase();
}
