import { best, type Call, plausibleValue, wordsOf } from './sandbox-tool-choice.js';
import { type OfferedTool, type ParameterSchema } from './sandbox-tools.js';
import { quotedIn } from './sandbox-wishes.js';

/** Words that many names share and that say nothing of what a tool is about. */
const COMMON =
  /^(?:get|set|list|read|write|create|update|make|find|search|show|use|do|run|call|add|tool|file|files|current|the|a|to|of|in|by|for|and|all|new|data|info|fetch|query)$/;
const CALCULATION = /^(?:calc|calculate|calculator|calculation|math|maths|arithmetic|evaluate|eval|compute)$/;
const OPERATIONS: readonly [name: RegExp, operator: RegExp][] = [
  [/^(?:add|addition|sum|plus)$/, /\badd\b|\bsum\b|\bplus\b|\d\s*\+\s*\d/i],
  [/^(?:subtract|subtraction|minus|difference)$/, /\bsubtract\b|\bminus\b|\d\s*[-−]\s*\d/i],
  [/^(?:multiply|multiplication|times|product)$/, /\bmultipl|\btimes\b|\bproduct\b|\d\s*[*×]\s*\d/i],
  [/^(?:divide|division|quotient)$/, /\bdivide|\d\s*[/÷]\s*\d/i],
];
const EXPRESSION = /-?\d[\d\s.+*/()^%×÷−-]*\d/;

/** At least half of what a name says must be asked for. */
const LEAST_SHARE = 0.5;
const MAX_TEXT = 200;

/** The call of the tool whose name a request speaks of, such as `get_weather` for a question about the weather. */
export function callByName(request: string, tools: readonly OfferedTool[]): Call | undefined {
  const asked = new Set(wordsOf(request.slice(0, 10 * MAX_TEXT)));
  const tool = best(tools, (one) => nearness(one.name, asked, request));
  return tool && callOf(tool, request);
}

/** A call with arguments from the words and numbers of a request. */
export function callOf({ name, parameters }: OfferedTool, request: string): Call {
  const { properties = {}, required } = parameters;
  const keys = required && required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  const numbers = (request.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  return {
    name,
    arguments: Object.fromEntries(
      keys.map((key) => [key, valueFor(key, properties[key] ?? {}, request, numbers)]),
    ),
  };
}

function nearness(name: string, asked: ReadonlySet<string>, request: string): number {
  const words = wordsOf(name);
  const operation = OPERATIONS.find(([operationName]) => words.some((word) => operationName.test(word)));
  if (
    operation?.[1].test(request) ||
    (words.some((word) => CALCULATION.test(word)) && EXPRESSION.test(request))
  ) {
    return 1;
  }
  const telling = words.filter((word) => !COMMON.test(word));
  const share = telling.filter((word) => asked.has(word) || asked.has(`${word}s`)).length / telling.length;
  return share >= LEAST_SHARE ? share : 0;
}

/** @param numbers those of the request that are not used yet */
function valueFor(key: string, schema: ParameterSchema, request: string, numbers: number[]): unknown {
  const words = new Set(wordsOf(request));
  const mentioned = schema.enum?.find((one) => words.has(String(one).toLowerCase()));
  if (mentioned !== undefined) {
    return mentioned;
  }
  switch (schema.enum ? undefined : schema.type) {
    case 'integer':
    case 'number':
      return numbers.shift() ?? plausibleValue(key, schema, '');
    case 'array':
      return /integer|number/.test(String(schema.items?.type)) && numbers.length > 0
        ? numbers.splice(0)
        : [valueFor(key, schema.items ?? {}, request, numbers)];
    case 'string':
      return /expression|formula|equation|calculation/i.test(key)
        ? (EXPRESSION.exec(request)?.[0] ?? request.slice(0, MAX_TEXT))
        : textFor(request);
    case undefined:
    default:
      return plausibleValue(key, schema, textFor(request));
  }
}

/** What a question is about: words in quotes, a name behind a preposition, or all of it. */
function textFor(request: string): string {
  const name = /\b(?:in|for|of|at|to|from|about)\s+(\p{Lu}[\p{L}\d-]*(?:\s\p{Lu}[\p{L}\d-]*)*)/u.exec(
    request,
  )?.[1];
  return quotedIn(request) ?? name ?? request.trim().slice(0, MAX_TEXT);
}
