import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { ApiKeyAuthenticator } from '../../common/http/access/api-key-authenticator.js';
import { callerKeyOf, noteCallerKey } from '../../common/http/access/caller-key.js';
import { hasCredential } from '../../common/http/access/credential.js';
import { KeyRing } from '../../common/http/access/key-ring.js';
import { StreamTickets } from './stream-tickets.js';

/** Accepts the key as a header or as `?token=`, or a ticket as `?token=`. Replaces the key guard on a `@Public()` route. */
@Injectable()
export class LogStreamGuard implements CanActivate {
  constructor(
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly ring: KeyRing,
    private readonly tickets: StreamTickets,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { token } = request.query;
    const ticket =
      hasCredential(request) || typeof token !== 'string' ? undefined : await this.tickets.redeem(token);
    if (ticket && this.ring.isCurrent(ticket.key)) {
      noteCallerKey(request, ticket.key);
    } else {
      this.authenticator.authenticate(request, true);
    }
    this.ring.answering(callerKeyOf(request), http.getResponse<Response>());
    return true;
  }
}
