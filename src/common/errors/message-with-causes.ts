/** The message of an error followed by those of its causes: for the operator, since callers see the first one alone. */
export function messageWithCauses(error: Error): string {
  const { message, cause } = error;
  return cause instanceof Error ? `${message} ${messageWithCauses(cause)}` : message;
}
