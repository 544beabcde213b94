import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { DEFAULT_ERROR_FORMAT, type ErrorFormat } from '../../errors/error-format.js';
import { ERROR_FORMAT } from './answers-errors-as.decorator.js';
import { RouteCatalog } from './route-catalog.js';

/** Finds the format in which the endpoint of a request answers errors. */
@Injectable()
export class ErrorFormats {
  constructor(private readonly routes: RouteCatalog) {}

  of({ path }: Pick<Request, 'path'>): ErrorFormat {
    return this.routes.metadataAt<ErrorFormat>(ERROR_FORMAT, path) ?? DEFAULT_ERROR_FORMAT;
  }
}
