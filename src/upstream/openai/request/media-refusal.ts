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

/** Whether an error says of a model that it takes text only. @param text of a request that held something else */
export function refusesMedia(text: string): boolean {
  return REFUSALS.some((pattern) => pattern.test(text));
}

/**
 * Whether the user shows pictures, files or recordings in messages in wire form. In those of others they are refused by
 * models that do see, too.
 */
export function holdMedia(messages: readonly object[]): boolean {
  return messages.some(
    ({ role, content }: { readonly role?: unknown; readonly content?: unknown }) =>
      role === 'user' &&
      Array.isArray(content) &&
      content.some(({ type }: { readonly type?: unknown }) => type !== 'text'),
  );
}
