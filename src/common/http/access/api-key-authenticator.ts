import { type IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { GatewayError } from '../../errors/gateway.errors.js';
import { KEY_REVOKED } from '../../errors/shared-messages.js';
import { AttachedValue } from '../../memory/attached-value.js';
import { getOrInsert } from '../../memory/get-or-insert.js';
import { digestOf, digestOfHeader } from './bearer.js';
import { type CallerKey, noteCallerKey } from './caller-key.js';
import { credentialOf, hasCredential } from './credential.js';
import { type KeyObstacle, KeyRing } from './key-ring.js';
import { WrongKeyLimiter } from './wrong-key-limiter.js';

/** Fault of a request's key: absent, malformed or not accepted. */
type KeyFault = 'missing' | 'wrong' | KeyObstacle;

interface Identity {
  readonly key?: CallerKey;
  readonly fault?: KeyFault;
}

/**
 * Digests of the keys in the headers of requests, which are looked for twice: by the log at the arrival, and by the guard.
 * Not their holders: whoever has lost a key in between is turned away by the second look.
 */
const headerDigests = new AttachedValue<IncomingMessage, string>('digest of the key');

/** What requests were let in with. */
const admissions = new AttachedValue<IncomingMessage, Identity>('admission');

const ANYBODY: Identity = {};
const MISSING: Identity = { fault: 'missing' };

const MESSAGES: Readonly<Record<KeyFault, string>> = {
  missing:
    'An API key is required: send one header "Authorization: Bearer <key>", "x-api-key: <key>" or "x-goog-api-key: <key>".',
  wrong: 'The API key is wrong.',
  expired: 'The API key has expired.',
  disabled: 'The API key is disabled.',
  revoked: KEY_REVOKED,
};

/** Tells who sends a request, by its key; a gateway without keys lets every request pass. */
@Injectable()
export class ApiKeyAuthenticator {
  constructor(
    private readonly ring: KeyRing,
    private readonly wrongKeys: WrongKeyLimiter,
  ) {}

  /**
   * The key of a request, noted for `callerKeyOf`; undefined while the gateway has no keys.
   * @param acceptQueryToken whether `?token=` is accepted where no header carries a key
   * @throws GatewayError `invalid_api_key`, or `rate_limit` after too many wrong keys from the caller's network
   */
  authenticate(request: IncomingMessage, acceptQueryToken = false): CallerKey | undefined {
    const identity = this.identify(request, acceptQueryToken);
    const { key, fault } = identity;
    if (fault === undefined) {
      admissions.set(request, identity);
      noteCallerKey(request, key);
      return key;
    }
    if (fault === 'missing') {
      throw new GatewayError('invalid_api_key', MESSAGES.missing);
    }
    const waitMs = this.wrongKeys.count(request.socket.remoteAddress ?? '');
    throw waitMs > 0 ? tooManyWrongKeys(waitMs) : new GatewayError('invalid_api_key', MESSAGES[fault]);
  }

  /**
   * Turns a request away whose key has ended since it was let in, or has another role: whoever held its body back until then
   * would act with it all the same.
   * @throws GatewayError as `authenticate`, or `permission_denied`
   */
  confirm(request: IncomingMessage): void {
    const admitted = admissions.get(request);
    if (admitted && !this.ring.isCurrent(admitted.key)) {
      this.authenticate(request);
      throw new GatewayError('permission_denied', 'The API key was changed while the request arrived.');
    }
  }

  /** Whether `authenticate` would let the request pass, with its key noted. A wrong key is not counted. */
  isAuthentic(request: IncomingMessage): boolean {
    const { key, fault } = this.identify(request, false);
    noteCallerKey(request, key);
    return fault === undefined;
  }

  private identify(request: IncomingMessage, acceptQueryToken: boolean): Identity {
    if (!this.ring.isLocked) {
      return ANYBODY;
    }
    if (acceptQueryToken && !hasCredential(request)) {
      const token = queryToken(request.url ?? '');
      return token === undefined ? MISSING : this.holderOf(digestOf(token));
    }
    const digest = headerDigest(request);
    return digest === 'none' ? MISSING : this.holderOf(digest);
  }

  private holderOf(digest: string): Identity {
    const found = this.ring.find(digest);
    if (found === undefined) {
      return { fault: 'wrong' };
    }
    return found.obstacle === undefined ? { key: found.key } : { fault: found.obstacle };
  }
}

/** Of the one key in the headers of a request, or `none`, which is no digest. */
function headerDigest(request: IncomingMessage): string {
  return getOrInsert(headerDigests, request, () => {
    const token = credentialOf(request);
    return token === undefined ? 'none' : digestOfHeader(token);
  });
}

/** The one `token` of a query; undefined if it has none, or several. */
function queryToken(url: string): string | undefined {
  const query = url.indexOf('?');
  const tokens = query < 0 ? [] : new URLSearchParams(url.slice(query)).getAll('token');
  const [token = ''] = tokens;
  return tokens.length === 1 && token !== '' ? token : undefined;
}

/** SDKs repeat a 429 by themselves; the same wrong key would be refused again. */
function tooManyWrongKeys(waitMs: number): GatewayError {
  return new GatewayError(
    'rate_limit',
    'The API key is wrong, and too many wrong keys came from this address. Please check the key before you try again.',
    { reason: 'invalid_api_key', retryAfterMs: waitMs, isRetryable: false },
  );
}
