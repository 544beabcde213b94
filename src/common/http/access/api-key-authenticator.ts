import { type IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { GatewayError } from '../../errors/gateway.errors.js';
import { bearerToken, KeyDigest } from './bearer.js';
import { countHeader } from './raw-headers.js';

/** Compares the key of a request with `API_KEY`, in constant time; an empty `API_KEY` lets every request pass. */
@Injectable()
export class ApiKeyAuthenticator {
  private digest = new KeyDigest('');

  constructor(private readonly settings: Settings) {}

  /**
   * @param acceptQueryToken whether `?token=` is accepted where there is no `Authorization` header
   * @throws GatewayError `invalid_api_key`
   */
  authenticate(request: IncomingMessage, acceptQueryToken = false): void {
    const key = this.settings.API_KEY;
    if (key === '') {
      return;
    }
    if (this.digest.key !== key) {
      this.digest = new KeyDigest(key);
    }
    const { authorization } = request.headers;
    if (authorization === undefined && acceptQueryToken && this.hasRightToken(request.url ?? '')) {
      return;
    }
    const token = bearerToken(authorization);
    if (token === undefined || countHeader(request, 'authorization') > 1) {
      throw unauthorized('An API key is required: send one header "Authorization: Bearer <key>".');
    }
    if (!this.digest.matchesHeader(token)) {
      throw unauthorized('The API key is wrong.');
    }
  }

  private hasRightToken(url: string): boolean {
    const query = url.indexOf('?');
    const tokens = query < 0 ? [] : new URLSearchParams(url.slice(query)).getAll('token');
    return tokens.length === 1 && this.digest.matchesText(tokens[0] ?? '');
  }
}

function unauthorized(message: string): GatewayError {
  return new GatewayError('invalid_api_key', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}
