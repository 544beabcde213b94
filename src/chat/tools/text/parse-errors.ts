/** What stands here is no call: it is text. */
export class NotACallError extends Error {}

/** What stands here is meant as a call, and cannot be read as one. */
export class MalformedCallError extends Error {
  constructor(
    readonly kind: 'malformed' | 'cut',
    message: string,
  ) {
    super(message);
  }
}

export function unknownTool(name: string): NotACallError {
  return new NotACallError(`There is no tool named ${JSON.stringify(name)}.`);
}

/** The answer ends before the call does. */
export function cutOff(where: string): MalformedCallError {
  return new MalformedCallError('cut', `The tool call is cut off ${where}.`);
}

export function malformed(what: string): MalformedCallError {
  return new MalformedCallError('malformed', what);
}
