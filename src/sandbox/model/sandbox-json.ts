import { SAMPLE_TEXT, sampleValue } from './sandbox-sample.js';

/** Begins the last lines of a prompt that asks for JSON; the next line holds the schema, if there is one. */
const DEMAND = /\b[Aa]nswer with one valid JSON (?:object|value) and nothing else: .*(?:\n(\{.*))?/g;

/** A value of the schema that a prompt asks for, or any object without a schema. Undefined for a prompt that asks for text. */
export function jsonAnswer(prompt: string): string | undefined {
  const demand = [...behindConversation(prompt).matchAll(DEMAND)].at(-1);
  return demand && JSON.stringify(demand[1] ? sampleOf(demand[1]) : { answer: SAMPLE_TEXT });
}

/** All of a prompt without tags: a lone message and the demand are one text. */
function behindConversation(prompt: string): string {
  return prompt.slice(prompt.lastIndexOf('\n</user>\n') + 1);
}

/** A line that is no schema admits any value. */
function sampleOf(line: string): unknown {
  try {
    return sampleValue(JSON.parse(line));
  } catch {
    return SAMPLE_TEXT;
  }
}
