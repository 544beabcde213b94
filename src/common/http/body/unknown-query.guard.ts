import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { Reflector } from '@nestjs/core';
import { type Request } from 'express';
import { InvalidRequestError } from '../../errors/gateway.errors.js';
import { NEEDED_ROLE } from '../access/needs-role.decorator.js';

/**
 * Refuses parameters on reads for operators that take none: whoever sends one believes that it filters. Reads that take
 * some refuse the others by `refusesUnknown` of their class; those for callers leave unknown ones to the SDKs.
 */
@Injectable()
export class UnknownQueryGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return true;
    }
    // Express parses the query at each access.
    const [name] = Object.keys(request.query);
    if (name !== undefined && this.takesNone(context)) {
      const shown = name.slice(0, 60);
      throw new InvalidRequestError(`There is no parameter '${shown}' here; there are none at all.`, shown);
    }
    return true;
  }

  private takesNone(context: ExecutionContext): boolean {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const takes = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as object;
    return (
      this.reflector.getAllAndOverride<unknown>(NEEDED_ROLE, [handler, controller]) === 'operator' &&
      !Object.keys(takes).some((kind) => kind.startsWith(`${RouteParamtypes.QUERY}:`))
    );
  }
}
