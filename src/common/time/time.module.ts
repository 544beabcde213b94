import { Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from './clock.js';
import { Random, SystemRandom } from './random.js';

/** Makes the clock and the source of randomness injectable everywhere. */
@Global()
@Module({
  providers: [
    { provide: Clock, useClass: SystemClock },
    { provide: Random, useClass: SystemRandom },
  ],
  exports: [Clock, Random],
})
export class TimeModule {}
