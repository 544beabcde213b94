import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request } from 'express';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { IS_PUBLIC } from './public.decorator.js';

/**
 * Requires the key on every route that is not `@Public()`. As a guard it sees the matched route, not a spelling of
 * its URL.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: ApiKeyAuthenticator,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, targets) !== true) {
      this.authenticator.authenticate(context.switchToHttp().getRequest<Request>());
    }
    return true;
  }
}
