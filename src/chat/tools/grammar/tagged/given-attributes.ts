import { type CallableTool } from '../../calls/callable-tool.js';
import { attributesOf, isContainer } from '../../text/elements.js';

/** Arguments in the tag of a call: `<invoke name="f" city="Paris"/>`. */
export interface GivenAttributes {
  /** Texts by key. */
  readonly members: readonly { readonly key: string; readonly value: string }[];
  /** The object of all of them: `arguments='{"city": "Paris"}'`. */
  readonly json?: string;
}

/** The arguments that the opening tag of a call has; undefined if it has none. */
export function givenAttributes(tag: string, tool: CallableTool): GivenAttributes | undefined {
  const given = attributesOf(tag).filter(({ key }) => key !== 'name');
  const members = given.filter(({ key }) => tool.declares(key));
  const all = given.find((one) => isContainer(one.key) && /^\s*\{/.test(one.value));
  if (members.length > 0) {
    return { members };
  }
  return all && { members, json: all.value };
}

/** Whether the tag is that of an element without content. */
export function isEmptyTag(tag: string): boolean {
  return tag.endsWith('/>');
}

/** Whether these are all arguments that the tool requires; of an object that is not known. */
export function hasRequired(tool: CallableTool, given: GivenAttributes | undefined): boolean {
  const { members = [], json } = given ?? {};
  return json !== undefined || tool.required.every((key) => members.some((one) => one.key === key));
}
