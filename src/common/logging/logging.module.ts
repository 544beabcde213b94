import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { Settings } from '../config/settings.js';

/** Fields that can carry a secret, wherever in a logged object they stand (one and two levels deep). */
const SECRET_FIELDS = ['authorization', 'cookie', 'set-cookie', 'password', 'key', 'token', 'credentials', 'API_KEY'];

const REDACTED = SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]);

/**
 * The process log: JSON lines on standard output. HTTP requests get no automatic lines here; each completion
 * gets one from the request log, which knows more of it than its headers.
 */
@Module({
  imports: [
    LoggerModule.forRootAsync({
      inject: [Settings],
      useFactory: (settings: Settings) => ({
        pinoHttp: {
          level: settings.LOG_LEVEL,
          redact: { paths: REDACTED, censor: '[redacted]' },
          base: null,
        },
        forRoutes: [],
      }),
    }),
  ],
})
export class LoggingModule {}
