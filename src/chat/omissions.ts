import { invalidField } from './dto/wire-values.js';
import { type CompletionRequest } from './interfaces/completion-request.js';

/** Response header with the types of the tools that the model was not offered, e.g. `web_search_20250305`. */
export const OMITTED_TOOLS_HEADER = 'x-gateway-tools-left-out';

/** Response header with the fields of the request that had no effect, e.g. `container`. */
export const IGNORED_FIELDS_HEADER = 'x-gateway-fields-ignored';

const MAX_SHOWN = 20;
const MAX_TYPE_CHARS = 60;

/** Value of such a header: the names as the caller wrote them, as far as a header can hold them. */
export function namesHeader(names: readonly string[]): string {
  return shown(names)
    .map((name) => name.replace(/[^\w.:/-]/g, '_'))
    .join(', ');
}

/** The omitted tools as a sentence for the log. */
export function omittedToolsNote(types: readonly string[]): string {
  return `Tools that a provider would run itself were left out: ${shown(types).join(', ')}.`;
}

/** The ignored fields as a sentence for the log. */
export function ignoredFieldsNote(names: readonly string[]): string {
  return `Fields of the request had no effect: ${shown(names).join(', ')}.`;
}

/** A sentence for the log on items of the conversation that the model was not given. @param types of items */
export function omittedItemsNote(types: readonly string[]): string {
  return `Items of unknown types were left out: ${shown(types).join(', ')}.`;
}

/**
 * Agents' search tools ask with nothing but the provider's own search, and take any answer for what was found.
 * @param looksUp fits the types of tools that look something up
 * @throws InvalidRequestError
 */
export function refuseLoneSearch(
  { tools, toolChoice, unsupportedTools = [] }: CompletionRequest,
  looksUp: RegExp,
): void {
  const search = unsupportedTools.find((type) => looksUp.test(type));
  if (search !== undefined && tools.length === 0 && toolChoice !== 'none') {
    throw invalidField(
      'tools',
      `must not be ${search} alone: this gateway does not look anything up, and the model would invent the results`,
    );
  }
}

function shown(types: readonly string[]): string[] {
  const each = [...new Set(types)];
  return each.slice(0, MAX_SHOWN).map((type) => type.slice(0, MAX_TYPE_CHARS));
}
