import { type UpstreamRequest } from '../../upstream-driver.js';
import { holdsWords, isAboutMessages, isAboutSchema, withoutEcho, wordsOf } from './complaint.js';
import { optionalFields } from './optional-fields.js';

/** Fields that every body has, or that hold a caller's schemas. */
const FURTHER = ['model', 'messages', 'tools'];
const OF_SCHEMAS = ['tools', 'response_format'];
/** Another name under which the field is sent. */
const RENAMED = new Map([['max_completion_tokens', 'max_tokens']]);
/** Names that are no words of any other sentence. */
const UNMISTAKABLE = /_|^(?:temperature|verbosity)$/;

/**
 * The field of the chat format that a complaint names, of those that were sent; the first, if it names several.
 * @param message the upstream's words, without codes
 */
export function complainedField(request: UpstreamRequest, message: string): string | undefined {
  const complaint = withoutEcho(message);
  if (isAboutMessages(complaint)) {
    return 'messages';
  }
  const fields = optionalFields(request);
  const sent = [
    ...Object.keys(fields).filter((name) => fields[name] !== undefined),
    ...FURTHER,
    ...RENAMED.keys(),
  ];
  const quoted = wordsOf(request);
  const [first] = (isAboutSchema(complaint) ? OF_SCHEMAS : sent)
    .filter((name) => !holdsWords(quoted, name))
    .map((name) => ({ name, at: placeOf(name, complaint) }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at);
  return first && (RENAMED.get(first.name) ?? first.name);
}

/** Where a complaint names a field; -1 if it does not. Names that are words stand in quotation marks, or ahead of a part. */
function placeOf(name: string, complaint: string): number {
  const words = UNMISTAKABLE.test(name)
    ? `\\b${RegExp.escape(name)}\\b`
    : `['"\`]${RegExp.escape(name)}['"\`.[]|(?:^|; )${RegExp.escape(name)}(?:$|; |[.:[])`;
  return complaint.search(new RegExp(words));
}
