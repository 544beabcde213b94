import { destination, type DestinationStream, type LoggerOptions } from 'pino';
import { type Settings } from '../config/settings.js';
import { REDACTED } from '../network/known-secrets.js';
import { humanLine } from './human-line.js';
import { LogDestination } from './log-destination.js';
import { demoteNestStart } from './nest-start.js';

/** Fields that may hold a secret. */
const SECRETS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'key',
  'token',
  'credentials',
  'API_KEY',
  'API_KEYS',
];

/** Paths of objects with such fields. Paths with a wildcard cost 24 µs a line, these under 0.2 µs. */
const PLACES = ['', 'headers', 'req.headers', 'settings'];

const SECRET_PATHS = PLACES.flatMap((place) => SECRETS.map((field) => `${place}["${field}"]`));

/** Most bytes held while the output is blocked by a full disk or an unread pipe; lines beyond are lost. */
const MAX_WAITING_BYTES = 2 ** 20;
/** Delay before held bytes are written again, in milliseconds. */
const RETRY_MS = 1000;

const OUTPUT = destination({
  dest: 1,
  sync: true,
  maxLength: MAX_WAITING_BYTES,
  // Waiting for the reader of a full pipe would stop the whole process.
  retryEAGAIN: () => false,
});
let retry: NodeJS.Timeout | undefined;
OUTPUT.on('error', () => {
  clearTimeout(retry);
  retry = setTimeout(() => OUTPUT.write(''), RETRY_MS).unref();
});

/** One for the process, shared by all of its gateways; the last lines are written at every exit. */
const DESTINATION = new LogDestination(OUTPUT);
process.once('exit', flushProcessLog);

/** For a person at a terminal; crashes are written at once, too. */
const TERMINAL = {
  write: (line: string) => DESTINATION.write(humanLine(line)),
  flushSync: () => DESTINATION.flushSync(),
};

/** Writes the lines that wait, before a death that tells nobody. */
export function flushProcessLog(): void {
  DESTINATION.flushSync();
}

/**
 * Options and destination of the process log: JSON lines on standard output, or lines for a person where that is a
 * terminal.
 */
export function processLogOf(settings: Settings): [LoggerOptions, DestinationStream] {
  return [
    {
      level: settings.LOG_LEVEL,
      redact: { paths: SECRET_PATHS, censor: REDACTED },
      serializers: { account: withoutSecrets },
      base: null,
      hooks: { logMethod: demoteNestStart },
    },
    isForPeople(settings) ? TERMINAL : DESTINATION,
  ];
}

/** For a field that is in most lines, as a name: there paths would cost 2 µs, half the price of a line. */
function withoutSecrets(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const fields = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, SECRETS.includes(name) ? REDACTED : field] as const),
  );
}

/** Whether the process log is text for a person, and not JSON lines for a program. */
function isForPeople({ LOG_FORMAT }: Settings): boolean {
  return LOG_FORMAT === 'text' || (LOG_FORMAT === 'auto' && process.stdout.isTTY);
}
