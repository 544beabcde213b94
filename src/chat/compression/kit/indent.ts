/** Number of blanks and tabs in front of a line. */
export function indentOf(line = ''): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 0x20 || line.charCodeAt(indent) === 0x09) {
    indent++;
  }
  return indent;
}
