import { Injectable } from '@nestjs/common';
import { KEY_NAME } from '../common/config/configured-keys.js';
import { Settings } from '../common/config/settings.js';
import { GatewayError, InvalidRequestError } from '../common/errors/gateway.errors.js';
import { KeyRing } from '../common/http/access/key-ring.js';
import { Clock } from '../common/time/clock.js';
import { type AccessKey, type KeyProperties, obstacleOfKey } from './access-key.js';
import { AuditLog } from './audit-log.js';
import { KeyRegistry } from './key-registry.js';
import { newSecret, tracesOf } from './key-secret.js';

/** Keys that may exist, revoked ones included: every name stays taken. */
const MAX_KEYS = 100_000;

/** A key with a secret of it that is shown this once. */
export interface MadeKey {
  readonly key: AccessKey;
  readonly secret: string;
}

/** What operators do with keys: stored before it returns, or refused; and kept in the audit list. */
@Injectable()
export class KeyCommands {
  constructor(
    private readonly registry: KeyRegistry,
    private readonly audit: AuditLog,
    private readonly ring: KeyRing,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * @param actor name of the operator's key; null while the gateway has none
   * @throws InvalidRequestError if the name is taken, or nobody could operate the gateway any more
   */
  create(actor: string | null, name: string, properties: KeyProperties): MadeKey {
    if (!KEY_NAME.test(name)) {
      throw new InvalidRequestError(
        'name must have up to 63 letters, digits, dots, dashes and underscores.',
        'name',
      );
    }
    if (this.registry.get(name) || this.ring.configuredNames().includes(name) || name === 'API_KEY') {
      throw new InvalidRequestError('name is taken. A revoked key keeps its name, too.', 'name');
    }
    if (this.registry.count >= MAX_KEYS) {
      throw new InvalidRequestError(`There may be ${MAX_KEYS} keys.`);
    }
    const createdAt = this.clock.now();
    const key: AccessKey = { ...properties, name, createdAt, revokedAt: null, lastUsedAt: null };
    this.requireOperator(key);
    const secret = newSecret();
    this.registry.save(key, [{ ...tracesOf(secret), keyName: name, createdAt, expiresAt: null }]);
    this.audit.add({ actor, action: 'key.create', subject: name, after: properties });
    return { key, secret };
  }

  /** @throws GatewayError `not_found`; InvalidRequestError as in `create` */
  update(actor: string | null, name: string, changes: Partial<KeyProperties>): AccessKey {
    const before = this.present(name);
    const key = { ...before, ...changes };
    this.requireOperator(key);
    this.registry.save(key);
    this.audit.add({
      actor,
      action: 'key.update',
      subject: name,
      before: onlyChanged(before, key),
      after: onlyChanged(key, before),
    });
    return key;
  }

  /**
   * Gives a key a new secret. @param overlapMs how long the present ones are still accepted
   * @throws GatewayError `not_found`
   */
  rotate(actor: string | null, name: string, overlapMs: number): MadeKey {
    const key = this.present(name);
    const now = this.clock.now();
    const endsAt = now + overlapMs;
    const old = this.registry
      .secretsOf(name)
      .map((secret) => ({ ...secret, expiresAt: Math.min(secret.expiresAt ?? endsAt, endsAt) }));
    const secret = newSecret();
    const fresh = { ...tracesOf(secret), keyName: name, createdAt: now, expiresAt: null };
    this.registry.save(key, [...old, fresh]);
    this.audit.add({
      actor,
      action: 'key.rotate',
      subject: name,
      after: { overlapMs, prefix: fresh.prefix },
    });
    return { key, secret };
  }

  /**
   * Ends a key for good. @param endRunning whether answers under way end, too
   * @throws GatewayError `not_found`; InvalidRequestError if it is the last operator's
   */
  revoke(actor: string | null, name: string, endRunning: boolean): AccessKey {
    const key = { ...this.present(name), revokedAt: this.clock.now() };
    this.requireOperator(key);
    this.registry.save(key);
    this.audit.add({ actor, action: 'key.revoke', subject: name, after: { endRunning } });
    if (endRunning) {
      this.registry.ended$.next(name);
    }
    return key;
  }

  private present(name: string): AccessKey {
    const key = this.registry.get(name);
    if (!key || key.revokedAt !== null) {
      throw new GatewayError('not_found', 'There is no such key.');
    }
    return key;
  }

  /** With a first key the gateway is closed, and somebody must have the key to the dashboard. */
  private requireOperator(changed: AccessKey): void {
    if (this.settings.API_KEY !== '') {
      return;
    }
    const now = this.clock.now();
    const others = this.registry.list().filter(({ name }) => name !== changed.name);
    const isOperator = (key: AccessKey): boolean =>
      key.role === 'operator' && obstacleOfKey(key, { expiresAt: null }, now) === undefined;
    if (![...others, changed].some(isOperator)) {
      throw new InvalidRequestError(
        "Nobody could operate the gateway: make an operator's key first, or set API_KEY.",
        'role',
      );
    }
  }
}

/** The properties of a key that differ from those of another. */
function onlyChanged(key: AccessKey, other: AccessKey): Partial<AccessKey> {
  const others = new Map<string, unknown>(Object.entries(other));
  const changed = Object.entries(key).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(others.get(name)),
  );
  return Object.fromEntries(changed);
}
