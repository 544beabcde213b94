import { type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import { MASTER_KEY_NAME, parseConfiguredKeys } from '../../config/configured-keys.js';
import { Settings } from '../../config/settings.js';
import { TooManyRequestsError } from '../../errors/gateway.errors.js';
import { following } from '../../memory/following.js';
import { digestOf } from './bearer.js';
import { type CallerKey, ownerOf } from './caller-key.js';
import { DEFAULT_LIMIT_FORMAT, type LimitFormat } from './limit-format.js';

/** Why a known key is not accepted. */
export type KeyObstacle = 'expired' | 'disabled' | 'revoked';

export interface FoundKey {
  readonly key: CallerKey;
  /** Undefined for a key that is accepted. */
  readonly obstacle?: KeyObstacle | undefined;
}

/** Keys kept outside the settings. */
export interface KeySource {
  /** Whether it has keys, whatever their state. */
  readonly hasKeys: boolean;
  /** @param digest SHA-256 in hexadecimal */
  find(digest: string): FoundKey | undefined;
  /** Notes that a key was used. */
  used(key: CallerKey): void;
  /**
   * Counts a request against the limits of its key, until the response is closed, and tells what is left of them.
   * @throws TooManyRequestsError
   */
  countRequest(key: CallerKey, response: ServerResponse, format: LimitFormat): void;
}

/** Share of the connections that the answers to one caller's key may take at once. */
const CONNECTION_SHARE = 1 / 2;

/**
 * Every key that opens the gateway: `API_KEY`, `API_KEYS`, and those of an attached source. Keys are found by their
 * digest, so that the time of a search tells nothing of a key.
 */
@Injectable()
export class KeyRing {
  /** Emits after keys of the source have changed. */
  readonly changes$ = new Subject<void>();
  private source: KeySource | undefined;
  private readonly configured: () => ReadonlyMap<string, CallerKey>;
  /** Number of answers under way by name of the caller's key. */
  private readonly answers = new Map<string, number>();

  constructor(private readonly settings: Settings) {
    this.configured = following(() => [settings.API_KEY, settings.API_KEYS], keysByDigest);
  }

  /** Adds the keys of a source; there is one at most. */
  attach(source: KeySource): void {
    this.source = source;
  }

  /** For the source: announces that its keys have changed. */
  notifyChanged(): void {
    this.changes$.next();
  }

  /** Whether requests need a key: as soon as there is one, even an expired or disabled one. */
  get isLocked(): boolean {
    const { API_KEY, API_KEYS } = this.settings;
    return API_KEY !== '' || API_KEYS !== '' || this.source?.hasKeys === true;
  }

  /** Names of the keys in the settings. */
  configuredNames(): readonly string[] {
    return [...this.configured().values()].map(({ name }) => name);
  }

  /** @param digest SHA-256 in hexadecimal */
  find(digest: string): FoundKey | undefined {
    const key = this.configured().get(digest);
    return key ? { key } : this.source?.find(digest);
  }

  /** Whether somebody who was let in with this key, or with none, would still be. */
  isCurrent(key: CallerKey | undefined): boolean {
    if (key === undefined) {
      return !this.isLocked;
    }
    const found = this.find(key.digest);
    return found?.obstacle === undefined && found?.key.name === key.name && found.key.role === key.role;
  }

  /**
   * Notes that a key's request is being answered, until its response is closed: streams may stay open for as long as their
   * caller likes, and one key must not have all connections.
   * @throws TooManyRequestsError if it has half of them
   */
  answering(key: CallerKey | undefined, response: ServerResponse): void {
    const owner = ownerOf(key);
    if (owner === undefined || response.closed) {
      return;
    }
    const others = this.answers.get(owner) ?? 0;
    if (others >= this.settings.MAX_CONNECTIONS * CONNECTION_SHARE) {
      throw new TooManyRequestsError(`The key '${owner}' has too many answers under way.`, 1000, {
        reason: 'gateway_busy',
      });
    }
    this.answers.set(owner, others + 1);
    response.on('close', () => {
      const rest = (this.answers.get(owner) ?? 0) - 1;
      if (rest > 0) {
        this.answers.set(owner, rest);
      } else {
        this.answers.delete(owner);
      }
    });
  }

  /** See `KeySource`. */
  used(key: CallerKey): void {
    this.source?.used(key);
  }

  /** See `KeySource.countRequest`; keys of the settings have no limits. */
  countRequest(key: CallerKey, response: ServerResponse, format = DEFAULT_LIMIT_FORMAT): void {
    this.source?.countRequest(key, response, format);
  }
}

function keysByDigest(masterKey: string, callerKeys: string): ReadonlyMap<string, CallerKey> {
  const keys = new Map<string, CallerKey>();
  for (const { name, secret } of parseConfiguredKeys(callerKeys)) {
    const digest = digestOf(secret);
    keys.set(digest, { name, role: 'caller', digest });
  }
  if (masterKey !== '') {
    const digest = digestOf(masterKey);
    keys.set(digest, { name: MASTER_KEY_NAME, role: 'operator', digest });
  }
  return keys;
}
