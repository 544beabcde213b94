/** The error object of a failure that callers are told of as a 500. */
export function internalError(what: string): { message: string; type: string; param: null; code: string } {
  return {
    message: `Internal server error: ${what}`,
    type: 'server_error',
    param: null,
    code: 'internal_error',
  };
}

/** The same as the last event of a stream. */
export function errorEvent(what: string): string {
  return `data: ${JSON.stringify({ error: internalError(what) })}\n\n`;
}
