import { Module } from '@nestjs/common';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { ArrivalCheck } from './arrival-check.js';
import { KeyRedactor } from './key-redactor.js';
import { KeyRing } from './key-ring.js';
import { WrongKeyLimiter } from './wrong-key-limiter.js';

/** Access by key. One instance for all, so that wrong keys are counted over all routes together. */
@Module({
  providers: [ArrivalCheck, ApiKeyAuthenticator, KeyRedactor, KeyRing, WrongKeyLimiter],
  exports: [ArrivalCheck, ApiKeyAuthenticator, KeyRedactor, KeyRing],
})
export class AccessModule {}
