import { type ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { type OnApplicationShutdown } from '@nestjs/common';
import { Subject } from 'rxjs';
import { type CallerKey } from '../common/http/access/caller-key.js';
import { type FoundKey, type KeyRing, type KeySource } from '../common/http/access/key-ring.js';
import { type LimitFormat } from '../common/http/access/limit-format.js';
import { type Clock } from '../common/time/clock.js';
import { type AccessKey, type KeySecret, obstacleOfKey, type Priority } from './access-key.js';
import { KeyUses } from './key-uses.js';
import { type KeyLimiters } from './limits/key-limiters.js';
import { type KeySlot } from './limits/key-slot.js';
import { type TokenReservation } from './limits/token-day.js';
import { type KeyChange, type KeyFacts, type KeyStore } from './store/key-store.js';

interface HeldKey {
  key: AccessKey;
  lastUsedAt: number | null;
  /** By digest. */
  readonly secrets: Map<string, KeySecret>;
}

interface HeldSecret {
  readonly secret: KeySecret;
  readonly held: HeldKey;
  /** The same object for as long as nothing of the key changes. */
  readonly caller: CallerKey;
}

/** Collaborators of the registry. */
export interface KeyRegistryDependencies {
  readonly store: KeyStore;
  readonly ring: KeyRing;
  readonly limiters: KeyLimiters;
  readonly clock: Clock;
}

/**
 * The keys made at run time: all of them in memory, so that no request waits for the store, and every change in the store
 * first.
 */
export class KeyRegistry implements KeySource, OnApplicationShutdown {
  /** Emits the name of a key whose running answers must end. */
  readonly ended$ = new Subject<string>();
  private readonly keys = new Map<string, HeldKey>();
  private readonly secrets = new Map<string, HeldSecret>();
  private readonly uses: KeyUses;
  /** Grows with every change made here; what was read before the latest one is out of date. */
  private changeCount = 0;

  private constructor(private readonly dependencies: KeyRegistryDependencies) {
    this.uses = new KeyUses(dependencies.store);
    dependencies.ring.attach(this);
  }

  /** Reads all keys. Rejects if they cannot be read. */
  static async load(dependencies: KeyRegistryDependencies): Promise<KeyRegistry> {
    const registry = new KeyRegistry(dependencies);
    await registry.refresh();
    return registry;
  }

  get hasKeys(): boolean {
    return this.keys.size > 0;
  }

  /** Newest last, revoked ones included. */
  list(): AccessKey[] {
    return [...this.keys.values()].map(({ key, lastUsedAt }) => ({ ...key, lastUsedAt }));
  }

  named(name: string): AccessKey | undefined {
    const held = this.keys.get(name);
    return held && { ...held.key, lastUsedAt: held.lastUsedAt };
  }

  secretsOf(name: string): KeySecret[] {
    return [...(this.keys.get(name)?.secrets.values() ?? [])];
  }

  /**
   * Changes or adds a key: in the store, before it takes effect here.
   * @param decide judges by what is stored; what it throws is passed on, and nothing has changed
   */
  async change(name: string, decide: (facts: KeyFacts) => KeyChange): Promise<AccessKey> {
    const { key, secrets = [], endsRunning } = await this.dependencies.store.change(name, decide);
    this.changeCount += 1;
    this.hold(key);
    secrets.forEach((secret) => this.holdSecret(secret));
    this.dependencies.ring.notifyChanged();
    if (endsRunning) {
      this.ended$.next(name);
    }
    await this.dependencies.limiters.keysChanged(this.list());
    return key;
  }

  /** Takes up what other gateways have changed in the store. */
  async refresh(): Promise<void> {
    let stored, readAt;
    do {
      readAt = this.changeCount;
      stored = await this.dependencies.store.load();
    } while (readAt !== this.changeCount);
    const names = new Set(stored.keys.map(({ name }) => name));
    const gone = [...this.keys.keys()].filter((name) => !names.has(name));
    gone.forEach((name) => this.drop(name));
    const ended = stored.keys.filter(
      ({ name, revokedAt }) =>
        revokedAt !== null && stored.ending.has(name) && this.keys.get(name)?.key.revokedAt === null,
    );
    const changes = [
      ...stored.keys.map((key) => this.hold(key)),
      ...stored.secrets.map((secret) => this.holdSecret(secret)),
    ];
    const isChanged = gone.length > 0 || changes.includes(true);
    if (isChanged) {
      this.dependencies.ring.notifyChanged();
    }
    ended.forEach(({ name }) => this.ended$.next(name));
    if (isChanged) {
      await this.dependencies.limiters.keysChanged(this.list());
    }
  }

  find(digest: string): FoundKey | undefined {
    const found = this.secrets.get(digest);
    if (!found) {
      return undefined;
    }
    const { ring, clock } = this.dependencies;
    const { secret, held, caller } = found;
    // A key of the settings has taken the name over: two holders must not be mixed up.
    const isTaken = ring.configuredNames().includes(caller.name);
    return { key: caller, obstacle: isTaken ? 'disabled' : obstacleOfKey(held.key, secret, clock.now()) };
  }

  used({ name }: CallerKey): void {
    const held = this.keys.get(name);
    if (held) {
      held.lastUsedAt = this.dependencies.clock.now();
      this.uses.note(name, held.lastUsedAt);
    }
  }

  countRequest({ name }: CallerKey, response: ServerResponse, format: LimitFormat): void {
    const held = this.keys.get(name);
    if (held) {
      this.dependencies.limiters.countRequest(held.key, response, format);
    }
  }

  /** The place of a request that was admitted; undefined for a key of the settings, which has no limits. */
  slotOf(response: ServerResponse): KeySlot | undefined {
    return this.dependencies.limiters.slotOf(response);
  }

  /**
   * Sets tokens of the day aside; undefined for a key without such a limit.
   * @throws TooManyRequestsError if fewer are left
   */
  reserve({ name }: CallerKey, tokens: number, least?: number): TokenReservation | undefined {
    const held = this.keys.get(name);
    return held && this.dependencies.limiters.reserve(held.key, tokens, least);
  }

  /** Counts tokens of the day that were not set aside. */
  count({ name }: CallerKey, tokens: number): void {
    const held = this.keys.get(name);
    if (held) {
      this.dependencies.limiters.count(held.key, tokens);
    }
  }

  priorityOf({ name }: CallerKey): Priority {
    return this.keys.get(name)?.key.priority ?? 'interactive';
  }

  /** Rest of a key's tokens of the day; undefined without a limit. */
  tokensLeft({ name }: CallerKey): number | undefined {
    const held = this.keys.get(name);
    return held && this.dependencies.limiters.tokensLeft(held.key);
  }

  onApplicationShutdown(): Promise<void> {
    return this.uses.store();
  }

  /** @returns whether anything is different now */
  private hold(key: AccessKey): boolean {
    const held = this.keys.get(key.name);
    if (!held) {
      this.keys.set(key.name, { key, lastUsedAt: key.lastUsedAt, secrets: new Map() });
      return true;
    }
    held.lastUsedAt = Math.max(held.lastUsedAt ?? 0, key.lastUsedAt ?? 0) || null;
    if (isDeepStrictEqual({ ...held.key, lastUsedAt: null }, { ...key, lastUsedAt: null })) {
      return false;
    }
    held.key = key;
    // What callers are known by holds the key's role and models.
    held.secrets.forEach((secret) => this.holdAnew(secret, held));
    return true;
  }

  /** @returns whether anything is different now */
  private holdSecret(secret: KeySecret): boolean {
    const held = this.keys.get(secret.keyName);
    if (!held || isDeepStrictEqual(held.secrets.get(secret.digest), secret)) {
      return false;
    }
    this.holdAnew(secret, held);
    return true;
  }

  private holdAnew(secret: KeySecret, held: HeldKey): void {
    const { name, role, models } = held.key;
    const { digest } = secret;
    const caller = { name, role, digest, ...(models && { models: new Set(models) }) };
    this.secrets.set(digest, { secret, held, caller });
    held.secrets.set(digest, secret);
  }

  private drop(name: string): void {
    this.secretsOf(name).forEach(({ digest }) => this.secrets.delete(digest));
    this.keys.delete(name);
  }
}
