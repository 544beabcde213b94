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
 * others they are refused by models that do see, too.
 * @param messages in wire form
 * @param repeats whether words, in small letters, may be the request's own: upstreams repeat texts, addresses and names of it,
 *   which say nothing of the model
 */
export function refusesMedia(
  error: string,
  messages: readonly object[],
  repeats: (words: string) => boolean = () => false,
): boolean {
  const words = REFUSALS.flatMap((pattern) => pattern.exec(error)?.[0].toLowerCase() ?? []);
  return messages.some(showsMedia) && words.some((refusal) => !repeats(refusal));
}

/** Whether the user shows something besides texts. */
function showsMedia({ role, content }: { readonly role?: unknown; readonly content?: unknown }): boolean {
  return (
    role === 'user' &&
    Array.isArray(content) &&
    (content as readonly { readonly type?: unknown }[]).some(({ type }) => type !== 'text')
  );
}
