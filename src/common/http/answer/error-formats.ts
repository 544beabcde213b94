import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { DEFAULT_ERROR_FORMAT, type ErrorFormat } from '../../errors/error-format.js';
import { API_ROOTS } from '../api-target.js';
import { ERROR_FORMAT } from './answers-errors-as.decorator.js';
import { RouteCatalog } from './route-catalog.js';

/** Finds the format in which a request is answered errors: its endpoint's, its caller's, or that of the endpoints beside it. */
@Injectable()
export class ErrorFormats {
  constructor(private readonly routes: RouteCatalog) {}

  of({ path, headers }: Pick<Request, 'path' | 'headers'>): ErrorFormat {
    return (
      this.routes.metadataAt<ErrorFormat>(ERROR_FORMAT, path) ??
      this.callersFormat(headers) ??
      this.neighboursFormat(path) ??
      DEFAULT_ERROR_FORMAT
    );
  }

  private callersFormat(headers: Request['headers']): ErrorFormat | undefined {
    return this.routes
      .list<ErrorFormat>(ERROR_FORMAT)
      .map(({ metadata }) => metadata)
      .find((format) => format?.clientHeader !== undefined && headers[format.clientHeader] !== undefined);
  }

  /**
   * The only format of the routes that begin like a path of the API: at `/api/embed` that of `/api/chat`. Behind a wrong base
   * URL the last root counts: `/v1/api/chat` is a call of the Ollama API, `/api/v1/models` is none.
   */
  private neighboursFormat(path: string): ErrorFormat | undefined {
    const segments = path.toLowerCase().split('/').filter(Boolean);
    if (!API_ROOTS.includes(segments[0] ?? '')) {
      return undefined;
    }
    const routes = this.routes.list<ErrorFormat>(ERROR_FORMAT);
    const root = segments.findLastIndex((segment) => API_ROOTS.includes(segment));
    for (let end = segments.length; end > root; end--) {
      const start = `/${segments.slice(root, end).join('/')}/`;
      const formats = new Set(
        routes.filter((route) => `${route.path}/`.startsWith(start)).map(({ metadata }) => metadata),
      );
      if (formats.size > 0) {
        return formats.size === 1 ? [...formats][0] : undefined;
      }
    }
    return undefined;
  }
}
