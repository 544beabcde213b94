/** What an error says, and what lies behind it, in one text for the operator; callers see the message alone. */
export function inWords(error: Error): string {
  const { message, cause } = error;
  return cause instanceof Error ? `${message} ${inWords(cause)}` : message;
}
