import { Module } from '@nestjs/common';
import { Admission } from './admission.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { KeyRedactor } from './key-redactor.js';
import { KeyRing } from './key-ring.js';
import { WrongKeyLimiter } from './wrong-key-limiter.js';

/** Access by key. One instance for all, so that wrong keys are counted over all routes together. */
@Module({
  providers: [Admission, ApiKeyAuthenticator, KeyRedactor, KeyRing, WrongKeyLimiter],
  exports: [Admission, ApiKeyAuthenticator, KeyRedactor, KeyRing],
})
export class AccessModule {}
