import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { DEFAULT_ERROR_FORMAT } from '../../errors/error-format.js';
import { GatewayError } from '../../errors/gateway.errors.js';
import { ApiKeyAuthenticator } from '../access/api-key-authenticator.js';
import { ErrorFormats } from './error-formats.js';
import { RouteCatalog } from './route-catalog.js';

const CHATS_ALONE = 'It serves chats alone: take embeddings from another service.';

/** What to do without an endpoint that clients of the formats look for, by the beginning of its path. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['/v1/embeddings', CHATS_ALONE],
  ['/api/embeddings', CHATS_ALONE],
  ['/api/embed', CHATS_ALONE],
  ['/v1/api', 'Clients of the Ollama API take the base URL without /v1.'],
  ['/v1/v1beta', 'Clients of the Gemini API take the base URL without /v1.'],
  ['/v1beta', 'Of the Gemini API it serves models: /v1beta/models.'],
  [
    '/v1/conversations',
    'Conversations are not kept here: go on from previous_response_id, or let the client keep them.',
  ],
]);

/** Answers requests without a route. Paths and methods are told to holders of the key only. */
@Injectable()
export class RouteFallback {
  constructor(
    private readonly routes: RouteCatalog,
    private readonly formats: ErrorFormats,
    private readonly authenticator: ApiKeyAuthenticator,
  ) {}

  /** 401 without the key, 426 or 405 with `Allow` for a known path, else 404. */
  errorFor(request: Request): GatewayError {
    try {
      this.authenticator.authenticate(request);
    } catch (error) {
      return error as GatewayError;
    }
    const methods = this.routes.methodsOf(request.path);
    // A route that takes every method, or this one, has said itself that nothing is there.
    const isTaken = methods.some((method) => method === request.method || method === 'ALL');
    if (methods.length > 0 && !isTaken) {
      const only = `This path takes ${methods.join(', ')} only`;
      // Clients of Responses that ask for a WebSocket go on over HTTP at once when they are answered so.
      if (request.headers.upgrade?.toLowerCase() === 'websocket') {
        return new GatewayError('upgrade_required', `${only}, over HTTP, without WebSocket.`);
      }
      return new GatewayError('method_not_allowed', `${only}.`, { allowedMethods: methods });
    }
    return new GatewayError('not_found', `There is nothing at this path.${this.hint(request)}`);
  }

  /**
   * The endpoints that clients look for, without what is below them; a wrong base URL is the usual cause. Other formats have
   * other base URLs.
   */
  private hint(request: Request): string {
    // Routes ignore case.
    const path = request.path.toLowerCase();
    if (path.startsWith('/v1/v1/')) {
      return ' It has /v1 twice: this client adds it to the base URL by itself.';
    }
    if (path.includes('//')) {
      return ' It has // in it: this client takes a base URL without a slash at its end.';
    }
    const [, instead] = [...INSTEAD].find(([known]) => `${path}/`.startsWith(`${known}/`)) ?? [];
    if (instead !== undefined) {
      return ` ${instead}`;
    }
    const paths = new Set(this.routes.routes().map((route) => route.path));
    const endpoints = [...paths].filter((known) => /^\/v1\/[^:*]+$/.test(known));
    const served = endpoints.filter((known) => !endpoints.some((other) => known.startsWith(`${other}/`)));
    const base = this.formats.of(request) === DEFAULT_ERROR_FORMAT ? '; a base URL ends in /v1' : '';
    return served.length === 0 ? '' : ` This gateway serves ${served.sort().join(', ')}${base}.`;
  }
}
