import { type ServerResponse } from 'node:http';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Subject } from 'rxjs';
import { InternalError } from '../common/errors/gateway.errors.js';
import { type CallerKey } from '../common/http/access/caller-key.js';
import { type FoundKey, KeyRing, type KeySource } from '../common/http/access/key-ring.js';
import { Clock } from '../common/time/clock.js';
import { type AccessKey, type KeySecret, obstacleOfKey, type Priority } from './access-key.js';
import { KeyStore } from './key-store.js';
import { KeyLimiter } from './limits/key-limiter.js';
import { KeySlot } from './limits/key-slot.js';
import { type TokenReservation } from './limits/token-day.js';

/** Least time between two writes of a key's last use. */
const LAST_USE_MS = 60_000;

interface HeldKey {
  key: AccessKey;
  limiter: KeyLimiter | undefined;
  /** Last use that is in the store. */
  storedUse: number;
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

/** The keys made at run time: all of them in memory, every change in the store first. */
@Injectable()
export class KeyRegistry implements KeySource, OnApplicationShutdown {
  /** Emits the name of a key whose running answers must end. */
  readonly ended$ = new Subject<string>();
  private readonly logger = new Logger('Keys');
  private readonly keys = new Map<string, HeldKey>();
  private readonly secrets = new Map<string, HeldSecret>();
  /** Undefined until it is known. */
  private usedToday: ReadonlyMap<string, number> | undefined;
  private readonly slots = new WeakMap<ServerResponse, KeySlot>();

  constructor(
    private readonly store: KeyStore,
    private readonly ring: KeyRing,
    private readonly clock: Clock,
  ) {
    store.keys().forEach((key) => this.hold(key));
    store.secrets().forEach((secret) => this.holdSecret(secret));
    ring.attach(this);
  }

  get hasKeys(): boolean {
    return this.keys.size > 0;
  }

  /** Keys, whatever their state. */
  get count(): number {
    return this.keys.size;
  }

  /** Newest last, revoked ones included. */
  list(): AccessKey[] {
    return [...this.keys.values()].map(({ key, lastUsedAt }) => ({ ...key, lastUsedAt }));
  }

  get(name: string): AccessKey | undefined {
    return this.keys.get(name)?.key;
  }

  secretsOf(name: string): KeySecret[] {
    return [...(this.keys.get(name)?.secrets.values() ?? [])];
  }

  /** Stores a key, and secrets with it, before it takes effect. */
  save(key: AccessKey, secrets: readonly KeySecret[] = []): void {
    this.store.transaction(() => {
      this.store.put(key);
      secrets.forEach((secret) => this.store.putSecret(secret));
    });
    this.hold(key);
    secrets.forEach((secret) => this.holdSecret(secret));
    // What callers are known by holds the key's role and models.
    this.secretsOf(key.name).forEach((secret) => this.holdSecret(secret));
    this.ring.notifyChanged();
  }

  find(digest: string): FoundKey | undefined {
    const found = this.secrets.get(digest);
    if (!found) {
      return undefined;
    }
    const { secret, held, caller } = found;
    // A key of the settings has taken the name over: two holders must not be mixed up.
    const isTaken = this.ring.configuredNames().includes(caller.name);
    return {
      key: caller,
      obstacle: isTaken ? 'disabled' : obstacleOfKey(held.key, secret, this.clock.now()),
    };
  }

  used({ name }: CallerKey): void {
    const held = this.keys.get(name);
    if (!held) {
      return;
    }
    held.lastUsedAt = this.clock.now();
    if (held.lastUsedAt - held.storedUse >= LAST_USE_MS) {
      this.storeUse(held);
    }
  }

  admit({ name }: CallerKey, response: ServerResponse): void {
    const held = this.keys.get(name);
    if (!held || response.closed) {
      return;
    }
    const { key } = held;
    const limiter = this.limiterOf(held);
    limiter.enter(key);
    const slot = new KeySlot(limiter);
    this.slots.set(response, slot);
    response.once('close', () => slot.release());
    for (const [header, value] of Object.entries(limiter.headers(key))) {
      response.setHeader(header, value);
    }
  }

  /** The place of a request that was admitted; undefined for a key of the settings, which has no limits. */
  slotOf(response: ServerResponse): KeySlot | undefined {
    return this.slots.get(response);
  }

  /**
   * Sets tokens of the day aside; undefined for a key without such a limit.
   * @throws RateLimitError if fewer are left
   */
  reserve({ name }: CallerKey, tokens: number): TokenReservation | undefined {
    const held = this.keys.get(name);
    return held && this.limiterOf(held).reserve(tokens, held.key);
  }

  priorityOf({ name }: CallerKey): Priority {
    return this.keys.get(name)?.key.priority ?? 'interactive';
  }

  hasTokenLimit({ name }: CallerKey): boolean {
    return (this.keys.get(name)?.key.tokensPerDay ?? null) !== null;
  }

  /** Tokens that each key has used today: before the start, or before this could be told. */
  takeUsedToday(tokens: ReadonlyMap<string, number>): void {
    this.usedToday = tokens;
    this.keys.forEach(({ key, limiter }) => limiter?.usedBefore(tokens.get(key.name) ?? 0));
  }

  onApplicationShutdown(): void {
    this.keys.forEach((held) => this.storeUse(held));
  }

  private hold(key: AccessKey): void {
    const held = this.keys.get(key.name);
    if (held) {
      held.key = key;
    } else {
      const { lastUsedAt } = key;
      this.keys.set(key.name, {
        key,
        limiter: undefined,
        storedUse: lastUsedAt ?? 0,
        lastUsedAt,
        secrets: new Map(),
      });
    }
  }

  private holdSecret(secret: KeySecret): void {
    const held = this.keys.get(secret.keyName);
    if (held) {
      const { name, role, models } = held.key;
      const { digest } = secret;
      const caller = { name, role, digest, ...(models && { models: new Set(models) }) };
      this.secrets.set(digest, { secret, held, caller });
      held.secrets.set(digest, secret);
    }
  }

  private limiterOf(held: HeldKey): KeyLimiter {
    const { name } = held.key;
    if (this.usedToday === undefined) {
      if (held.key.tokensPerDay !== null) {
        throw new InternalError('local_resources', 'it is not known yet what the key has used today.');
      }
      return (held.limiter ??= new KeyLimiter(name, this.clock));
    }
    return (held.limiter ??= new KeyLimiter(name, this.clock, this.usedToday.get(name)));
  }

  /** A failure costs only the time of the last use. */
  private storeUse(held: HeldKey): void {
    if (held.lastUsedAt === null || held.lastUsedAt === held.storedUse) {
      return;
    }
    try {
      this.store.setLastUse(held.key.name, held.lastUsedAt);
      held.storedUse = held.lastUsedAt;
    } catch (error) {
      this.logger.warn(error, 'the last use of a key could not be stored');
    }
  }
}
