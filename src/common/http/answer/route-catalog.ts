import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { MetadataScanner } from '@nestjs/core';
import { RouteTable } from './route-table.js';

/** A route with the method and the class that answer it. */
export interface Route {
  readonly method: string;
  /** With `:name` in place of parameters. */
  readonly path: string;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
  readonly handler: Function;
  readonly controller: Type;
}

/** Handler method and controller class of a route: the two places where its decorators leave metadata. */
type RouteTargets = readonly [handler: object, controller: object];

/**
 * Every route of the application with the metadata of its decorators, read once at the start. It answers for requests
 * that never reach their route, too, since a refused call must be logged and answered in its endpoint's terms.
 */
export class RouteCatalog {
  private readonly table = new RouteTable<RouteTargets>();

  constructor(controllers: readonly Type[]) {
    const scanner = new MetadataScanner();
    for (const controller of controllers) {
      this.addController(controller, scanner.getAllMethodNames(controller.prototype as object));
    }
  }

  /** Every route, with one kind of metadata. */
  list<T>(key: string): readonly { readonly method: string; readonly path: string; readonly metadata?: T }[] {
    return this.table
      .all()
      .map(({ method, path, value }) => ({ method, path, metadata: metadata<T>(key, value) }) as const)
      .map(({ metadata: found, ...route }) => (found === undefined ? route : { ...route, metadata: found }));
  }

  /** Every route. */
  routes(): readonly Route[] {
    return this.table.all().map(({ method, path, value: [handler, controller] }) => {
      return { method, path, handler, controller } as Route;
    });
  }

  /** Methods that a path takes, HEAD after GET; empty for an unknown path. */
  methodsOf(path: string): readonly string[] {
    return this.table.methodsOf(path);
  }

  /** Metadata of the route that takes a request, the handler's before the controller's. */
  metadataOf<T>(key: string, method: string, path: string): T | undefined {
    const targets = this.table.find(method, path);
    return targets && metadata<T>(key, targets);
  }

  /** The first metadata among all routes at a path, whatever their method. */
  metadataAt<T>(key: string, path: string): T | undefined {
    for (const targets of this.table.at(path)) {
      const value = metadata<T>(key, targets);
      if (value !== undefined) {
        return value;
      }
    }
    return undefined;
  }

  private addController(controller: Type, methodNames: readonly string[]): void {
    for (const name of methodNames) {
      const handler = (controller.prototype as Record<string, object>)[name] ?? {};
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (method === undefined) {
        continue;
      }
      for (const prefix of pathsOf(controller)) {
        for (const path of pathsOf(handler)) {
          this.table.add(RequestMethod[method], join(prefix, path), [handler, controller]);
        }
      }
    }
  }
}

function metadata<T>(key: string, targets: RouteTargets): T | undefined {
  for (const target of targets) {
    const value = Reflect.getMetadata(key, target) as T | undefined;
    if (value !== undefined) {
      return value;
    }
  }
  return undefined;
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
