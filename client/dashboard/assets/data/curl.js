import { repeatBody, repeatGaps, repeatLosses, repeatPath } from './repeat-request.js';

/** All but the line break, which is one in quotes, too. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f]/g;

/**
 * A shell command that repeats a request, with `$API_KEY` in place of the key. Comments before it say what is cut.
 *
 * @param {Record<string, any>} entry of the request log, with its content
 * @param {string} origin e.g. `http://127.0.0.1:26405`
 */
export function toCurl(entry, origin) {
  const { method } = entry;
  const verb = ['GET', 'POST'].includes(method) ? '' : ` -X ${method}`;
  const call = [
    // Without -g, brackets in a path would be ranges: one command would send many requests.
    `curl -gN${verb} ${quoted(origin + repeatPath(entry))}`,
    `-H "Authorization: Bearer $API_KEY"`,
  ];
  if (method !== 'POST') {
    return joined(call);
  }
  const body = entry.sent?.text ?? JSON.stringify(repeatBody(entry));
  // Through a pipe: Linux limits one argument of a program to 128 KiB, but not those of the shell's built-in `printf`.
  return `${comments(entry)}printf ${printed(body)} | ${joined([...call, `-H 'Content-Type: application/json'`, '--data-binary @-'])}`;
}

/**
 * Format and argument for `printf`. A terminal would take control characters for keys: Ctrl+C would leave the quotes, and the
 * shell would run what follows.
 */
function printed(text) {
  if (text.search(CONTROLS) < 0) {
    return `%s ${quoted(text)}`;
  }
  const numbered = (sign) => `\\0${sign.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return `%b ${quoted(text.replaceAll('\\', '\\\\').replaceAll(CONTROLS, numbered))}`;
}

/** Without quotes, brackets and other signs of the shell: zsh takes no comments at its prompt unless told to. */
function comments(entry) {
  const losses = hasTexts(entry) ? repeatLosses(entry) : [];
  return losses.map((loss) => `# Not as it was: ${loss}\n`).join('');
}

/** Gaps and changes of a copied command; undefined if it repeats the request as it was. */
export function curlNote(entry) {
  if (!hasTexts(entry)) {
    return 'As curl: without its texts, which the log does not keep.';
  }
  const gaps = repeatGaps(entry);
  return gaps.length === 0 ? undefined : `As curl: ${gaps.join(', ')}.`;
}

function hasTexts({ content, sent }) {
  return content !== undefined || sent !== undefined;
}

function joined(parts) {
  return parts.join(' \\\n  ');
}

/** Single-quoted for a POSIX shell. */
export function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
