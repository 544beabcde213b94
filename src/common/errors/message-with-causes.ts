/** The message of an error followed by its causes: for the operator, since callers see the first one alone. */
export function messageWithCauses(error: Error): string {
  return textsOf(error).join(' ');
}

/** The messages of an error's causes, without what its own message, or that of another cause, quotes. Empty without any. */
export function causesOf(error: Error): string {
  return textsOf(error).slice(1).join(' ');
}

/** The messages of an error and of its causes, but for those that an earlier one quotes. */
function textsOf(error: Error): readonly string[] {
  const texts = chainOf(error).map(textOf);
  const quotable = texts.map((text) => text.toLowerCase());
  return texts.filter(
    (_text, index) => !quotable.slice(0, index).some((earlier) => earlier.includes(quotable[index]!)),
  );
}

function chainOf(error: Error): readonly Error[] {
  return error.cause instanceof Error ? [error, ...chainOf(error.cause)] : [error];
}

/** Of a name with several addresses, none of which can be reached, Node tells by the code alone. */
function textOf(error: Error): string {
  return error.message || ((error as NodeJS.ErrnoException).code ?? '');
}
