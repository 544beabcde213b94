/*
 * A prompt holds a whole conversation as one text, in which a tag on a line of its own introduces every message. A
 * lone user message has no tags. Prompts may have several megabytes, so these searches start from the end.
 */

/** The last message of the user, and the rest of the prompt after it. */
export interface PromptTurn {
  readonly message: string;
  readonly after: string;
}

/** A prompt without tags is a message as a whole; so is the rest of a prompt whose last tag is not closed. */
export function lastTurn(prompt: string): PromptTurn {
  const start = startOfLastMessage(prompt);
  if (start === -1) {
    return { message: prompt, after: '' };
  }
  const rest = prompt.slice(start);
  const end = /^<\/user>$/m.exec(rest);
  return end
    ? { message: rest.slice(0, end.index).replace(/\n$/, ''), after: rest.slice(end.index + end[0].length) }
    : { message: rest, after: '' };
}

/** Text of the last message of the user. */
export function lastUserMessage(prompt: string): string {
  return lastTurn(prompt).message;
}

/** Text of the last tool result, word for word; undefined if the prompt has none. */
export function lastToolResponse(prompt: string): string | undefined {
  const tag = '<tool_response';
  const before = prompt.lastIndexOf(`\n${tag}`);
  const start = before !== -1 ? before + 1 : prompt.startsWith(tag) ? 0 : -1;
  const opened = start === -1 ? -1 : prompt.indexOf('>', start);
  if (opened === -1) {
    return undefined;
  }
  const rest = prompt.slice(opened + 1);
  const end = /\n<\/tool_response>$/m.exec(rest)?.index ?? rest.indexOf('</tool_response>');
  return end === -1 ? undefined : rest.slice(0, end).replace(/^\n/, '');
}

/** Where the text of the last message of the user begins; -1 if the prompt has no tags. */
function startOfLastMessage(prompt: string): number {
  const opened = /<user(?: name="[^"\n]*")?>\n/y;
  for (let end = prompt.length; end > 0;) {
    const tag = prompt.lastIndexOf('<user', end - 1);
    opened.lastIndex = tag;
    if (tag !== -1 && (tag === 0 || prompt[tag - 1] === '\n') && opened.test(prompt)) {
      return opened.lastIndex;
    }
    end = tag;
  }
  return -1;
}
