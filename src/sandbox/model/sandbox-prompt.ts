/**
 * Finds its way in a prompt that holds a whole conversation as one text, where every message is introduced by a tag
 * on a line of its own. A lone user message has no tags. Works on prompts of several megabytes without a pass of its
 * own over the characters.
 */

/** The text of the last user message. */
export function lastUserMessage(prompt: string): string {
  const start = startAfterLastLine(prompt, '<user>');
  if (start === -1) {
    return prompt;
  }
  const rest = prompt.slice(start);
  const end = /^<\/user>$/m.exec(rest);
  return end ? rest.slice(0, end.index).replace(/\n$/, '') : rest;
}

/** The text of the last tool result, word for word, or undefined where there is none. */
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

function startAfterLastLine(text: string, line: string): number {
  const inside = text.lastIndexOf(`\n${line}\n`);
  if (inside !== -1) {
    return inside + line.length + 2;
  }
  return text.startsWith(`${line}\n`) ? line.length + 1 : -1;
}
