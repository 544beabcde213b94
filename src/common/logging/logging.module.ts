import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { destination } from 'pino';
import { Settings } from '../config/settings.js';
import { LogDestination } from './log-destination.js';
import { demoteNestStart } from './nest-start.js';

/** Fields that can carry a secret. */
const SECRETS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'key',
  'token',
  'credentials',
  'API_KEY',
];

/** Where logged objects have such fields. Paths with a wildcard cost 24 µs a line, these under 0.2 µs. */
const PLACES = ['', 'headers', 'req.headers', 'account', 'settings'];

const REDACTED = PLACES.flatMap((place) => SECRETS.map((field) => `${place}["${field}"]`));

/** What waits while the output takes nothing, such as a file on a full disk; what comes after it is lost. */
const MAX_WAITING_BYTES = 2 ** 20;

const OUTPUT = destination({ dest: 1, sync: true, maxLength: MAX_WAITING_BYTES });
// Lines that cannot be written are no reason to end the process: they go out before the next one that can.
OUTPUT.on('error', () => undefined);

/** One for the process, however many gateways it makes. Whatever ends the process, the last lines are written. */
const DESTINATION = new LogDestination(OUTPUT);
process.once('exit', () => DESTINATION.flushSync());

/**
 * The process log: JSON lines on standard output. HTTP requests get no automatic lines here; each completion
 * gets one from the request log, which knows more of it than its headers.
 */
@Module({
  imports: [
    LoggerModule.forRootAsync({
      inject: [Settings],
      useFactory: (settings: Settings) => ({
        pinoHttp: [
          {
            level: settings.LOG_LEVEL,
            redact: { paths: REDACTED, censor: '[redacted]' },
            base: null,
            hooks: { logMethod: demoteNestStart },
          },
          DESTINATION,
        ],
        forRoutes: [],
      }),
    }),
  ],
})
export class LoggingModule {}
