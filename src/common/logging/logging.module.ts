import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { Settings } from '../config/settings.js';
import { processLogOf } from './process-log.js';

/**
 * The process log, as `processLogOf` has it. HTTP requests get no automatic lines; each completion gets one from the request
 * log, which knows more of it than its headers.
 */
@Module({
  imports: [
    LoggerModule.forRootAsync({
      inject: [Settings],
      useFactory: (settings: Settings) => ({ pinoHttp: processLogOf(settings), forRoutes: [] }),
    }),
  ],
})
export class LoggingModule {}
