import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request, type Response } from 'express';
import { GatewayError } from '../../errors/gateway.errors.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { type CallerKey, type KeyRole } from './caller-key.js';
import { KeyRing } from './key-ring.js';
import { IS_NOT_COUNTED, LIMIT_FORMAT } from './limit-decorators.js';
import { type LimitFormat } from './limit-format.js';
import { NEEDED_ROLE } from './needs-role.decorator.js';
import { IS_PUBLIC } from './public.decorator.js';

/**
 * Requires a key of the right role on every route that is not `@Public()`, and counts what callers send against the
 * limits of their keys. As a guard it sees the matched route, not a spelling of its URL; and it comes before the body.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: ApiKeyAuthenticator,
    private readonly ring: KeyRing,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, targets) === true) {
      return true;
    }
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const key = this.authenticator.authenticate(request);
    if (key) {
      const role = this.reflector.getAllAndOverride<KeyRole | undefined>(NEEDED_ROLE, targets) ?? 'operator';
      requireRole(key, role);
      this.ring.answering(key, response);
      this.ring.used(key);
      const isCounted =
        this.reflector.get<boolean | undefined>(IS_NOT_COUNTED, context.getHandler()) !== true;
      if (role === 'caller' && request.method === 'POST' && isCounted) {
        const format = this.reflector.get<LimitFormat | undefined>(LIMIT_FORMAT, context.getClass());
        this.ring.countRequest(key, response, format);
      }
    }
    return true;
  }
}

function requireRole(key: CallerKey, role: KeyRole): void {
  if (role === 'operator' && key.role !== 'operator') {
    throw new GatewayError('permission_denied', "This needs an operator's key.");
  }
}
