import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { Settings } from '../../config/settings.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { createHostOriginCheck, type HostOriginCheck } from './host-origin.middleware.js';

/** Tells at the arrival of a request, before any route is matched, whether its caller will be let in. */
@Injectable()
export class ArrivalCheck {
  private readonly hostOriginFault: HostOriginCheck;

  constructor(
    settings: Settings,
    private readonly authenticator: ApiKeyAuthenticator,
  ) {
    this.hostOriginFault = createHostOriginCheck(settings);
  }

  /** Whether the request has the right key, and Host and Origin that are allowed. */
  admits(request: Request): boolean {
    return this.authenticator.isAuthentic(request) && this.hostOriginFault(request) === undefined;
  }
}
