/** The message of an error followed by those of its causes: for the operator, since callers see the first one alone. */
export function messageWithCauses(error: Error): string {
  const { message, cause } = error;
  // Of a name with several addresses, none of which can be reached, Node tells by the code alone.
  const text = message || ((error as NodeJS.ErrnoException).code ?? '');
  return cause instanceof Error ? `${text} ${messageWithCauses(cause)}` : text;
}
