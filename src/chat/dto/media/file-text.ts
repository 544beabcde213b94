import { isJsonObject } from '../../../common/text/json-object.js';
import { isBase64, parseDataUrl } from './data-url.js';
import { dataUrlOfSource } from './source-parts.js';

/** Media types of texts that are not named `text/…`, without their `application/` and `x-`. */
const TEXT_TYPES =
  /^(?:text\/|[^/]+\/[^/]+\+(?:json|xml|yaml)$|application\/(?:x-)?(?:json|jsonl|json5|ndjson|jsonlines|xml|yaml|toml|csv|javascript|ecmascript|typescript|sh|shellscript|python|httpd-php|sql|graphql|tex|latex|rtf|markdown|log)$)/;

/** Types that say nothing of what is in a file: its bytes decide. */
const NO_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

const UTF_8 = 'utf-8';

/** Names that decoders take for windows-1252; what is in ASCII is so in UTF-8. */
const ASCII = new Set(['ascii', 'us-ascii']);

/** What no text has, a form feed and colours of a terminal aside. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** Formats whose files may be readable at a glance, but are no texts. */
const MARKED = /^%PDF-/;

/**
 * The text of a file, where it is one: any model reads it, if it is not sent as a file. By its media type, or where that says
 * nothing by its bytes.
 * @param data as a data URL or base64
 */
export function fileText(data: unknown): string | undefined {
  if (typeof data !== 'string') {
    return undefined;
  }
  const { type, base64 } = parseDataUrl(data) ?? { type: '', base64: data };
  const [mediaType = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isNamedText = TEXT_TYPES.test(mediaType);
  if (!(isNamedText || NO_TYPES.has(mediaType)) || !isBase64(base64)) {
    return undefined;
  }
  const bytes = Buffer.from(base64, 'base64');
  const [, charset] = /(?:^|;)charset="?([\w-]+)/.exec(parameters.join(';')) ?? [];
  return isNamedText ? namedText(bytes, charset) : unnamedText(bytes);
}

/** What a part `file` or `input_file` holds as text, behind its name. */
export function textOfFile({
  filename,
  file_data: data,
}: Readonly<Record<string, unknown>>): string | undefined {
  const text = fileText(data);
  return text === undefined || typeof filename !== 'string' || filename === ''
    ? text
    : `${filename}\n${text}`;
}

/** The text of a source of the Messages format that holds a file. */
export function textOfSource(source: unknown): string | undefined {
  return isJsonObject(source) ? fileText(dataUrlOfSource(source)) : undefined;
}

/**
 * A mark at the beginning is surer than the charset that libraries put behind any type. Tables that are saved by
 * spreadsheets are often in a charset of Windows. Any bytes are in that, and in others that may be named: those of other
 * files, under a wrong type, have control characters.
 */
function namedText(bytes: Buffer, charset = UTF_8): string | undefined {
  const mark = charsetByMark(bytes);
  return (
    (mark === undefined ? plain(decode(bytes, ASCII.has(charset) ? UTF_8 : charset)) : decode(bytes, mark)) ??
    decode(bytes, UTF_8) ??
    plain(decode(bytes, 'windows-1252'))
  );
}

function unnamedText(bytes: Buffer): string | undefined {
  const text = plain(decode(bytes, charsetByMark(bytes) ?? UTF_8));
  return text === undefined || MARKED.test(text) ? undefined : text;
}

function plain(text: string | undefined): string | undefined {
  return text === undefined || CONTROL.test(text) ? undefined : text;
}

function charsetByMark([first, second, third]: Buffer): string | undefined {
  if (first === 0xff && second === 0xfe) {
    return 'utf-16le';
  }
  if (first === 0xfe && second === 0xff) {
    return 'utf-16be';
  }
  return first === 0xef && second === 0xbb && third === 0xbf ? UTF_8 : undefined;
}

/** Undefined for bytes that are none of this charset, and for a charset that nobody knows. */
function decode(bytes: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
