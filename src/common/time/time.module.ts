import { Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from './clock.js';

/** Makes the clock injectable everywhere. */
@Global()
@Module({
  providers: [{ provide: Clock, useClass: SystemClock }],
  exports: [Clock],
})
export class TimeModule {}
