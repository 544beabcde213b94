/** Forms in which models repeat a result with other white space, other escapes, or only the end of it. */
export const REWRITTEN_FORMS: Readonly<Record<string, (text: string) => string>> = {
  'with all white space as one blank': (text) => text.replaceAll(/\s+/g, ' '),
  'without white space': (text) => text.replaceAll(/\s+/g, ''),
  'with doubled blanks': (text) => text.replaceAll(' ', '  '),
  'with tabs for blanks': (text) => text.replaceAll('  ', '\t'),
  'with blanks that do not break': (text) => text.replaceAll(' ', '\u00a0'),
  'with blanks around brackets': (text) => text.replaceAll(/([(){}[\]])/g, ' $1 '),
  'in lines of 60 characters': wrapped,
  'as a string of JSON': (text) => JSON.stringify(text),
  'as a string within a string': (text) => JSON.stringify(JSON.stringify(text)),
  'as a string of JSON in ASCII': (text) =>
    JSON.stringify(text).replaceAll(
      /[\u0080-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  'as a string for a page': (text) =>
    JSON.stringify(text).replaceAll(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`),
  'with escapes of JavaScript': (text) =>
    text.replaceAll(/[<>"'\u0080-\uffff]/g, (char) => `\\u{${char.charCodeAt(0).toString(16)}}`),
  'as a string for each line': (text) =>
    text
      .split('\n')
      .map((line) => JSON.stringify(`${line}\n`))
      .join(' +\n'),
  'with escapes of Markdown': (text) => text.replaceAll(/([_*`[\]#<>])/g, String.raw`\$1`),
  'escaped for HTML': escaped,
  'escaped for HTML, in tags': (text) => `<pre><code>${escaped(text)}</code></pre>`,
  'escaped for HTML twice': (text) => escaped(escaped(text)),
  'escaped for HTML, with tags for line breaks': (text) =>
    escaped(text).replaceAll('  ', '&nbsp;&nbsp;').replaceAll('\n', '<br>\n'),
  'escaped for HTML by numbers': (text) =>
    text.replaceAll(/[<>&"'\u0080-\uffff]/g, (char) => `&#${char.charCodeAt(0)};`),
  'escaped for HTML by hexadecimal numbers': (text) =>
    text.replaceAll(/[<>&"'/=]/g, (char) => `&#x${char.charCodeAt(0).toString(16)};`),
  'as paragraphs of HTML': (text) => inTags(text, 'p'),
  'as lines of code in HTML': (text) => `<pre>\n${inTags(text, 'code')}\n</pre>`,
  'as paragraphs of HTML, escaped': (text) => escaped(inTags(text, 'p')),
  "with a terminal's colours": (text) => coloured(text, '\u001b'),
  "with a terminal's colours, escaped": (text) => coloured(text, String.raw`\u001b`),
  'as added lines of a patch': (text) => text.replaceAll(/^/gm, '+'),
  'with accents as characters of their own': (text) => text.normalize('NFD'),
  'with comment signs': (text) =>
    text
      .split('\n')
      .map((line) => `// ${line}`)
      .join('\n'),
  'in tags of a tool': (text) => `<tool_response>\n${text}\n</tool_response>`,
  'as the output in an object of JSON': (text) => JSON.stringify({ status: 'success', output: text }),
  'quoted with >>': (text) => text.replaceAll(/^/gm, '>> '),
  'with blanks at the ends of lines': (text) => text.replaceAll(/$/gm, '  '),
  'with typographic quotes': (text) => text.replaceAll('"', '”').replaceAll("'", '’'),
  'with a note at the end': (text) => `${text}\n\nNote: this is what the tool has returned.`,
  'its last quarter': (text) => fromLine(text, Math.max(1000, text.length / 4)),
  'its last third, in a fence': (text) => `\`\`\`\n${text.slice(-Math.max(1200, text.length / 3))}\n\`\`\``,
  'its end behind a preface': (text) =>
    `The rest of it:\n\n${text.slice(-Math.max(1200, text.length * 0.4))}`,
};

/** The end of a text, of a length or a little less, from the beginning of a line on. */
function fromLine(text: string, length: number): string {
  return text.slice(text.indexOf('\n', Math.max(0, text.length - length)) + 1);
}

/** A text as HTML, each line of it in tags of its own. */
function inTags(text: string, name: string): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `<${name}>${escaped(line)}</${name}>`)
    .join('\n');
}

function coloured(text: string, escape: string): string {
  return text
    .split('\n')
    .map((line) => `${escape}[1;32m${line}${escape}[0m`)
    .join('\n');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A text in lines of at most 60 characters. */
export function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines.length - 1;
    if (`${lines[last] ?? ''} ${word}`.length > 60) {
      lines.push(word);
    } else {
      lines[last] += ` ${word}`;
    }
  }
  return lines.join('\n');
}
