const REPEATED =
  'Your last answer was stopped because it repeated the result of a tool call word for word. The result is already ' +
  'known and is in this conversation. ';

const ANSWER =
  'Do not write it out again, neither as a whole nor in long parts, and do not mention this note. Use it to answer the ' +
  "user's last message in your own words, or call the next tool that you need.";

const CONTINUE =
  'The text before the repetition has reached the user and stands above as your answer so far. Go on from where it ' +
  'ends, without beginning anew, without writing the result out and without mentioning this note.';

/**
 * Instruction for a model that repeated a tool result, to be the last part of the next prompt. Always the same words.
 * @param isContinued whether the answer up to the repetition has reached the caller, so that the next one continues
 * it
 */
export function echoCorrection(isContinued = false): string {
  return REPEATED + (isContinued ? CONTINUE : ANSWER);
}
