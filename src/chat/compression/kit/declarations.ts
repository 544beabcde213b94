/** Words that may stand in front of a declaration, in the usual languages. */
export const MODIFIERS: readonly string[] = [
  ...['export', 'public', 'private', 'protected', 'static', 'async', 'abstract', 'pub'],
];

/** Words that declare something. */
export const DECLARATORS: readonly string[] = [
  ...['class', 'interface', 'type', 'enum', 'function', 'def', 'func', 'fn'],
  ...['struct', 'trait', 'impl', 'const'],
];
