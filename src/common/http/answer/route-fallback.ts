import { Injectable, type OnApplicationBootstrap, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { type Request } from 'express';
import { GatewayError } from '../../errors/gateway.errors.js';
import { ApiKeyAuthenticator } from '../access/api-key-authenticator.js';
import { RouteTable } from './route-table.js';

/** Errors for requests without a route. Only callers with the key learn which paths and methods exist. */
@Injectable()
export class RouteFallback implements OnApplicationBootstrap {
  private readonly table = new RouteTable();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly authenticator: ApiKeyAuthenticator,
  ) {}

  onApplicationBootstrap(): void {
    for (const { instance, metatype } of this.discovery.getControllers()) {
      if (metatype && instance) {
        this.addController(metatype, Object.getPrototypeOf(instance) as object);
      }
    }
  }

  /** 401 without the key, 405 with `Allow` for a known path, else 404. */
  errorFor(request: Request): GatewayError {
    try {
      this.authenticator.authenticate(request);
    } catch (error) {
      return error as GatewayError;
    }
    const methods = this.table.methodsOf(request.path);
    // A route did take the request, and reported by itself that nothing was found.
    const isTaken = methods.some((method) => method === request.method || method === 'ALL');
    if (methods.length > 0 && !isTaken) {
      return new GatewayError('method_not_allowed', `This path takes ${methods.join(', ')} only.`, {
        headers: { Allow: methods.join(', ') },
      });
    }
    return new GatewayError('not_found', 'There is nothing at this path.');
  }

  private addController(controller: object, prototype: object): void {
    for (const name of this.scanner.getAllMethodNames(prototype)) {
      const handler = (prototype as Record<string, object>)[name] ?? {};
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (method === undefined) {
        continue;
      }
      for (const prefix of pathsOf(controller)) {
        for (const path of pathsOf(handler)) {
          this.table.add(RequestMethod[method], join(prefix, path));
        }
      }
    }
  }
}

function pathsOf(target: object): string[] {
  return [Reflect.getMetadata(PATH_METADATA, target) as string | string[]].flat();
}

function join(prefix: string, path: string): string {
  return [prefix, path]
    .map((part) => part.replace(/^\/+|\/+$/g, ''))
    .filter((part) => part !== '')
    .join('/');
}
