/** The text at hand cannot be read as what was looked for. */
export abstract class ParseError extends Error {}

/** The text at hand is no tool call and stays text. The message, if any, says why it looked like one. */
export class NotACallError extends ParseError {}

/** The text at hand is meant as a tool call and cannot be read as one. The message is written for the model. */
export class MalformedCallError extends ParseError {
  constructor(
    readonly kind: 'malformed' | 'cut',
    message: string,
  ) {
    super(message);
  }
}

/** The error of a guess: what is malformed was no call. */
export function asNoCall(error: unknown): unknown {
  return error instanceof MalformedCallError ? new NotACallError(error.message) : error;
}

/** A call whose name matches no offered tool. */
export class UnknownToolError extends NotACallError {
  constructor(name: string) {
    super(`There is no tool named ${JSON.stringify(name)}.`);
  }
}

/** The error of an answer that ends in the middle of a call. @param where e.g. `inside a string` */
export function cutOff(where: string): MalformedCallError {
  return new MalformedCallError('cut', `The tool call is cut off ${where}.`);
}

/** The error of an answer that ends before a call has all of its required arguments. */
export function cutOffEarly(): MalformedCallError {
  return cutOff('before all of its arguments are given');
}

/** The error of a call that breaks its form. @param problem one sentence for the model */
export function malformed(problem: string): MalformedCallError {
  return new MalformedCallError('malformed', problem);
}

/** The error of a call with something else in place of the object of its arguments. */
export function noObject(toolName: string): MalformedCallError {
  return malformed(`The arguments of ${toolName} must be a JSON object.`);
}
