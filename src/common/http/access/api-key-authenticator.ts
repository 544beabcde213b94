import { type IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { GatewayError } from '../../errors/gateway.errors.js';
import { KeyDigest } from './bearer.js';
import { credentialOf, hasCredential } from './credential.js';
import { WrongKeyLimiter } from './wrong-key-limiter.js';

/** What is the matter with the key of a request: none was shown in the right form, or it is not the gateway's. */
type KeyFault = 'missing' | 'wrong';

/** Compares the key of a request with `API_KEY`, in constant time; an empty `API_KEY` lets every request pass. */
@Injectable()
export class ApiKeyAuthenticator {
  private digest = new KeyDigest('');

  constructor(
    private readonly settings: Settings,
    private readonly wrongKeys: WrongKeyLimiter,
  ) {}

  /**
   * @param acceptQueryToken whether `?token=` is accepted where no header carries a key
   * @throws GatewayError `invalid_api_key`, or `rate_limit` after too many wrong keys from the caller's network
   */
  authenticate(request: IncomingMessage, acceptQueryToken = false): void {
    const fault = this.faultOf(request, acceptQueryToken);
    if (fault === undefined) {
      return;
    }
    if (fault === 'missing') {
      throw unauthorized(
        'An API key is required: send one header "Authorization: Bearer <key>" or "x-api-key: <key>".',
      );
    }
    const waitMs = this.wrongKeys.count(request.socket.remoteAddress ?? '');
    throw waitMs > 0 ? tooManyWrongKeys(waitMs) : unauthorized('The API key is wrong.');
  }

  /** Whether `authenticate` would let the request pass. A wrong key is not counted. */
  isAuthentic(request: IncomingMessage, acceptQueryToken = false): boolean {
    return this.faultOf(request, acceptQueryToken) === undefined;
  }

  private faultOf(request: IncomingMessage, acceptQueryToken: boolean): KeyFault | undefined {
    const key = this.settings.API_KEY;
    if (key === '') {
      return undefined;
    }
    if (this.digest.key !== key) {
      this.digest = new KeyDigest(key);
    }
    if (acceptQueryToken && !hasCredential(request)) {
      return this.queryFault(request.url ?? '');
    }
    const token = credentialOf(request);
    if (token === undefined) {
      return 'missing';
    }
    return this.digest.matchesHeader(token) ? undefined : 'wrong';
  }

  private queryFault(url: string): KeyFault | undefined {
    const query = url.indexOf('?');
    const tokens = query < 0 ? [] : new URLSearchParams(url.slice(query)).getAll('token');
    const [token = ''] = tokens;
    if (tokens.length !== 1 || token === '') {
      return 'missing';
    }
    return this.digest.matchesText(token) ? undefined : 'wrong';
  }
}

function unauthorized(message: string): GatewayError {
  return new GatewayError('invalid_api_key', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** SDKs repeat a 429 by themselves; the same wrong key would be refused again. */
function tooManyWrongKeys(waitMs: number): GatewayError {
  const headers = { 'Retry-After': String(Math.ceil(waitMs / 1000)), 'x-should-retry': 'false' };
  return new GatewayError(
    'rate_limit',
    'The API key is wrong, and too many wrong keys came from this address. Please check the key before you try again.',
    { headers, reason: 'invalid_api_key' },
  );
}
