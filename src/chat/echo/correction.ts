const REPEATED =
  'Your last answer was stopped because it repeated the result of a tool call word for word. The result is already ' +
  'known and is in this conversation. ';

/** Whether he did is guessed from words (`request/`), and the model reads him better. */
const UNLESS_ASKED = 'Unless the user asked for this very text, ';

const ANSWER =
  `${UNLESS_ASKED}do not write it out again, neither as a whole nor in long parts. Use it to answer the user's last ` +
  'message in your own words, or call the next tool that you need. Do not mention this note.';

const CONTINUE =
  'The text before the repetition has reached the user and stands above as your answer so far. Go on from where it ' +
  `ends, without beginning anew and without mentioning this note. ${UNLESS_ASKED}do not write the result out.`;

/**
 * Instruction for a model that repeated a tool result, to be the last part of the next prompt. Always the same words.
 * @param isContinued whether the answer up to the repetition has reached the caller, so that the next one continues
 * it
 */
export function echoCorrection(isContinued = false): string {
  return REPEATED + (isContinued ? CONTINUE : ANSWER);
}
