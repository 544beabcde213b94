import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { DEFAULT_ERROR_FORMAT, type ErrorFormat } from '../../errors/error-format.js';
import { ERROR_FORMAT } from './answers-errors-as.decorator.js';
import { RouteCatalog } from './route-catalog.js';

/** Finds the format in which a request is answered errors: its endpoint's, or else its caller's. */
@Injectable()
export class ErrorFormats {
  constructor(private readonly routes: RouteCatalog) {}

  of({ path, headers }: Pick<Request, 'path' | 'headers'>): ErrorFormat {
    return (
      this.routes.metadataAt<ErrorFormat>(ERROR_FORMAT, path) ??
      this.callersFormat(headers) ??
      DEFAULT_ERROR_FORMAT
    );
  }

  private callersFormat(headers: Request['headers']): ErrorFormat | undefined {
    return this.routes
      .list<ErrorFormat>(ERROR_FORMAT)
      .map(({ metadata }) => metadata)
      .find((format) => format?.clientHeader !== undefined && headers[format.clientHeader] !== undefined);
  }
}
