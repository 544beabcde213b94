import { textsOf } from './complaint.js';

const KINDS =
  '(?:images?|image_url|vision|pictures?|audio|input_audio|videos?|video_url|files?|documents?|multi-?modal)';

/**
 * Wordings of a refusal by a text-only model. None may fit a complaint about one picture: its format, its size,
 * or its address.
 */
const REFUSALS = [
  // This model does not support image input; Model do not support images.
  `not support ${KINDS}(?! (?:formats?|types?|sizes?|urls?|of)\\b)`,
  // image input is not supported - hint: you may need to provide the mmproj
  `${KINDS} (?:inputs? |content |parts? )?(?:is|are) not (?:supported|enabled)`,
  `no endpoints found that support ${KINDS}`,
  `${KINDS}\\W{0,2} is only supported by certain models`,
  // messages[7]: unknown variant `image_url`, expected `text`
  `unknown variant \\W?${KINDS}`,
  `unsupported content part type`,
  `input should be \\W?text\\b`,
  'is not a (?:multi-?modal|vision|vlm)',
  `at most 0 ${KINDS}`,
  'text[- ]only',
  // messages[0].content must be a string
  'content\\W{0,3} must be a string',
].map((pattern) => new RegExp(pattern, 'i'));

/**
 * Whether an error says of a model that it takes text only, where the user shows pictures, files or recordings. In messages of
 * others they are refused by models that do see, too. Addresses and names of what is shown say nothing of the model: upstreams
 * repeat those that they cannot read.
 * @param messages in wire form
 */
export function refusesMedia(error: string, messages: readonly object[]): boolean {
  const words = REFUSALS.flatMap((pattern) => pattern.exec(error)?.[0].toLowerCase() ?? []);
  if (words.length === 0) {
    return false;
  }
  const shown = shownIn(messages);
  const named = textsOf(shown).map((text) => text.toLowerCase());
  return shown.length > 0 && words.some((refusal) => !named.some((text) => text.includes(refusal)));
}

/** What the user shows besides texts. */
function shownIn(messages: readonly object[]): readonly object[] {
  return messages.flatMap(({ role, content }: { readonly role?: unknown; readonly content?: unknown }) =>
    role === 'user' && Array.isArray(content)
      ? (content as readonly { readonly type?: unknown }[]).filter(({ type }) => type !== 'text')
      : [],
  );
}
