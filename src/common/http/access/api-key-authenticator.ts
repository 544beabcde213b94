import { type IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { GatewayError } from '../../errors/gateway.errors.js';
import { KeyDigest } from './bearer.js';
import { credentialOf, hasCredential } from './credential.js';

/** Compares the key of a request with `API_KEY`, in constant time; an empty `API_KEY` lets every request pass. */
@Injectable()
export class ApiKeyAuthenticator {
  private digest = new KeyDigest('');

  constructor(private readonly settings: Settings) {}

  /**
   * @param acceptQueryToken whether `?token=` is accepted where no header carries a key
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
    if (acceptQueryToken && !hasCredential(request) && this.hasRightToken(request.url ?? '')) {
      return;
    }
    const sent = credentialOf(request);
    if (sent === undefined) {
      throw unauthorized(
        'An API key is required: send one header "Authorization: Bearer <key>" or "x-api-key: <key>".',
      );
    }
    if (!this.digest.matchesHeader(sent)) {
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
