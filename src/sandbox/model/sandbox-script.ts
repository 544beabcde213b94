import { type SandboxCall } from './sandbox-call.js';

/** Behaviour of the site for one prompt, read from `[[…]]` markers. An absent field means the usual behaviour. */
export interface Script {
  /** Wait before the response's headers, in milliseconds. */
  readonly delayMs?: number;
  /** Wait between the headers and the first chunk, in milliseconds. */
  readonly firstChunkMs?: number;
  /** Number of chunks and the interval between two; 0 ms sends as fast as the reader reads. */
  readonly pace?: { readonly count: number; readonly intervalMs: number };
  /** The answer, word for word. */
  readonly say?: string;
  /** Tool calls grouped by message; the answer follows once all have been made. */
  readonly calls?: readonly (readonly SandboxCall[])[];
  /** The reasoning, word for word. */
  readonly think?: string;
  /** Falls silent for ever at this point. */
  readonly hang?: StopPoint;
  /** Cuts the connection at this point. */
  readonly reset?: StopPoint;
  readonly status?: { readonly code: number; readonly retryAfterSeconds?: number };
  readonly limit?: { readonly form: 'sse' | 'page'; readonly resetSeconds?: number };
  readonly garbage?: GarbageKind;
  /** Ends the response in good order, but without its `done` event. */
  readonly partial?: true;
  /** Bytes of filler text to answer with. */
  readonly bigBytes?: number;
  /** Every event carries the whole text so far. */
  readonly cumulative?: true;
  /** Answers with the last tool result, or with the whole prompt, word for word. */
  readonly echo?: true;
  readonly usage?: true;
  /** Ends with the reason `length` instead of `stop`. */
  readonly length?: true;
  /** Sends every event twice. */
  readonly duplicate?: true;
  /** Mixes in events of another conversation. */
  readonly foreign?: true;
  /** Revokes the login and answers the request with the login page. */
  readonly loginWall?: true;
  /** Revokes the login after this answer. */
  readonly logout?: true;
  readonly tooLong?: true;
  readonly overloaded?: true;
  /** A challenge page stands before everything, for these seconds or (`Infinity`) until it is cleared. */
  readonly blockedSeconds?: number;
  /** Reasoning comes inside the text, as `<think>…</think>`. */
  readonly thinkTags?: true;
}

/** Number of chunks sent, or `headers` for the time before the headers. */
export type StopPoint = number | 'headers';

const GARBAGE_KINDS = ['events', 'utf8', 'gzip', 'html', 'line', 'empty'] as const;
export type GarbageKind = (typeof GARBAGE_KINDS)[number];

/**
 * Reads a marker's argument; undefined for a malformed one.
 * @param before script of the earlier markers
 */
type MarkerReader = (argument: string | undefined, before: Script) => Script | undefined;

const MARKERS: Readonly<Record<string, MarkerReader>> = {
  delay: withNumber((delayMs) => ({ delayMs })),
  slowfirst: withNumber((firstChunkMs) => ({ firstChunkMs }), 1000),
  chunks: readPace,
  say: (argument) => (argument === undefined ? undefined : { say: unescape(argument) }),
  call: (argument, { calls = [] }) => readCall(argument, (call) => ({ calls: [...calls, [call]] })),
  also: (argument, { calls = [] }) =>
    readCall(argument, (call) => ({ calls: [...calls.slice(0, -1), [...(calls.at(-1) ?? []), call]] })),
  think: (argument) => (argument === undefined ? undefined : { think: unescape(argument) }),
  hang: (argument) => readStopPoint(argument, (hang) => ({ hang })),
  reset: (argument) => readStopPoint(argument, (reset) => ({ reset })),
  status: readStatus,
  limit: readLimit,
  garbage: readGarbage,
  partial: flag({ partial: true }),
  big: readSize,
  cumulative: flag({ cumulative: true }),
  echo: flag({ echo: true }),
  usage: flag({ usage: true }),
  length: flag({ length: true }),
  duplicate: flag({ duplicate: true }),
  foreign: flag({ foreign: true }),
  'login-wall': flag({ loginWall: true }),
  logout: flag({ logout: true }),
  'too-long': flag({ tooLong: true }),
  overloaded: flag({ overloaded: true }),
  blocked: withNumber((blockedSeconds) => ({ blockedSeconds }), Infinity),
  'think-tags': flag({ thinkTags: true }),
};

/** Name of a marker, and the colon before an argument. */
const MARKER_NAME = /([a-z-]{1,20})(:|(?=\]\]))/y;

/**
 * Reads every `[[name]]` and `[[name:argument]]` in a text; a later marker wins over an earlier one of the same name.
 * Unknown or malformed markers are ordinary text. A marker ends at the last bracket of the first `]]`, so
 * `[[say:[1,[2]]]]` says `[1,[2]]`; `\]` stands for a bracket that never ends it, `\n`, `\t` and `\\` as usual.
 */
export function parseMarkers(text: string): Script {
  let script: Script = {};
  let end = 0;
  for (let start = text.indexOf('[['); start !== -1;) {
    end = end < start + 2 ? markerEnd(text, start + 2) : end;
    if (end === -1) {
      break;
    }
    const read = readMarker(text, start + 2, end, script);
    if (read) {
      script = { ...script, ...read };
    }
    start = text.indexOf('[[', read ? end + 2 : start + 2);
  }
  return script;
}

/** True when a text is made of well-formed markers and nothing else. */
export function isMarkersOnly(text: string): boolean {
  let from = 0;
  while (text.startsWith('[[', from)) {
    const end = markerEnd(text, from + 2);
    if (end === -1 || !readMarker(text, from + 2, end, {})) {
      return false;
    }
    from = end + 2;
  }
  return from > 0 && from === text.length;
}

/** Index of the closing `]]` of a marker, or -1. */
function markerEnd(text: string, from: number): number {
  for (let at = text.indexOf(']]', from); at !== -1; at = text.indexOf(']]', at + 1)) {
    if (text[at + 2] !== ']' && !isEscaped(text, at)) {
      return at;
    }
  }
  return -1;
}

/** True when an odd number of backslashes stands before a character. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') {
    first--;
  }
  return (at - first) % 2 === 1;
}

/** Reads the marker between its brackets. */
function readMarker(text: string, start: number, end: number, before: Script): Script | undefined {
  MARKER_NAME.lastIndex = start;
  const match = MARKER_NAME.exec(text);
  if (!match) {
    return undefined;
  }
  const [matched, name = '', colon] = match;
  const reader = Object.hasOwn(MARKERS, name) ? MARKERS[name] : undefined;
  return reader?.(colon ? text.slice(start + matched.length, end) : undefined, before);
}

function readCall(argument = '', build: (call: SandboxCall) => Script): Script | undefined {
  const [, name, json = '{}'] = /^([\w.:/-]{1,128}?)(?::(\{[\s\S]*\}))?$/.exec(argument) ?? [];
  const values = readArguments(json) ?? readArguments(unquote(json));
  return name === undefined || !values ? undefined : build({ name, arguments: values });
}

/** Only brackets that would end the marker are escaped: the rest is JSON, with escapes of its own. */
function readArguments(json: string): SandboxCall['arguments'] | undefined {
  try {
    return JSON.parse(json.replace(/((?:^|[^\\])(?:\\\\)*)\\\]/g, '$1]')) as SandboxCall['arguments'];
  } catch {
    return undefined;
  }
}

/** The text of a string in quotes: some agents quote the whole instruction, and escape the quotes within it. */
function unquote(text: string): string {
  return text.replace(/\\(["\\])/g, '$1');
}

function flag(script: Script): MarkerReader {
  return (argument) => (argument === undefined ? script : undefined);
}

function withNumber(build: (value: number) => Script, fallback?: number): MarkerReader {
  return (argument) => {
    const value = argument === undefined ? fallback : readWhole(argument);
    return value === undefined ? undefined : build(value);
  };
}

function readWhole(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function readStopPoint(
  argument: string | undefined,
  build: (point: StopPoint) => Script,
): Script | undefined {
  const point = argument === undefined ? 'headers' : readWhole(argument);
  return point === undefined ? undefined : build(point);
}

function readPace(argument = ''): Script | undefined {
  const match = /^(\d{1,7})x(\d{1,7})ms$/.exec(argument);
  return match ? { pace: { count: Number(match[1]), intervalMs: Number(match[2]) } } : undefined;
}

function readStatus(argument = ''): Script | undefined {
  const match = /^([45]\d\d)(?::retry-after=(\d{1,9}))?$/.exec(argument);
  if (!match) {
    return undefined;
  }
  const code = Number(match[1]);
  return { status: match[2] === undefined ? { code } : { code, retryAfterSeconds: Number(match[2]) } };
}

function readLimit(argument = ''): Script | undefined {
  const match = /^(sse|page)(?::(\d{1,9}))?$/.exec(argument);
  if (!match) {
    return undefined;
  }
  const form = match[1] === 'sse' ? 'sse' : 'page';
  return { limit: match[2] === undefined ? { form } : { form, resetSeconds: Number(match[2]) } };
}

function readGarbage(argument: string = GARBAGE_KINDS[0]): Script | undefined {
  const garbage = GARBAGE_KINDS.find((kind) => kind === argument);
  return garbage && { garbage };
}

function readSize(argument = ''): Script | undefined {
  const match = /^(\d{1,4})(KB|MB)$/.exec(argument);
  return match ? { bigBytes: Number(match[1]) * (match[2] === 'KB' ? 2 ** 10 : 2 ** 20) } : undefined;
}

function unescape(text: string): string {
  return text.replace(/\\([nt\\\]])/g, (_, letter: string) =>
    letter === 'n' ? '\n' : letter === 't' ? '\t' : letter,
  );
}
