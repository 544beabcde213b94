import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { AuditLog, type AuditRecord } from '../common/audit/audit-log.js';
import { KEY_NAME, MASTER_KEY_NAME } from '../common/config/configured-keys.js';
import { Settings } from '../common/config/settings.js';
import { GatewayError, InvalidRequestError } from '../common/errors/gateway.errors.js';
import { digestOf } from '../common/http/access/bearer.js';
import { KEY_PREFIX } from '../common/http/access/key-redactor.js';
import { KeyRing } from '../common/http/access/key-ring.js';
import { Clock } from '../common/time/clock.js';
import { type AccessKey, type KeyProperties } from './access-key.js';
import { KeyRegistry } from './key-registry.js';
import { requireOperable } from './operator-rule.js';
import { requireRotatable } from './own-rotation-rule.js';
import { type KeyFacts } from './store/key-store.js';

/** Keys that may exist, revoked ones included: every name stays taken. */
const MAX_KEYS = 100_000;

/** A key with a secret of it that is shown this once. */
export interface MadeKey {
  readonly key: AccessKey;
  readonly secret: string;
}

/** What is done with keys: stored when the promise is fulfilled, or refused; and kept in the audit list. */
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
  async create(actor: string | null, name: string, properties: KeyProperties): Promise<MadeKey> {
    if (!KEY_NAME.test(name)) {
      throw new InvalidRequestError(
        'name must have up to 63 letters, digits, dots, dashes and underscores.',
        'name',
      );
    }
    const createdAt = this.clock.now();
    if (properties.expiresAt !== null && properties.expiresAt <= createdAt) {
      throw new InvalidRequestError('expiresAt must not be in the past.', 'expiresAt');
    }
    const made: AccessKey = { ...properties, name, createdAt, revokedAt: null, lastUsedAt: null };
    const secret = newSecret();
    const key = await this.registry.change(name, (facts) => {
      if (facts.key || this.ring.configuredNames().includes(name) || name === MASTER_KEY_NAME) {
        throw new InvalidRequestError('name is taken. A revoked key keeps its name, too.', 'name');
      }
      if (facts.count >= MAX_KEYS) {
        throw new InvalidRequestError(`There may be ${MAX_KEYS} keys.`);
      }
      this.requireOperable(made, facts);
      return {
        key: made,
        secrets: [{ ...storedFormOf(secret), keyName: name, createdAt, expiresAt: null }],
      };
    });
    await this.audit.add({ actor, action: 'key.create', subject: name, after: properties });
    return { key, secret };
  }

  /** @throws GatewayError `not_found`; InvalidRequestError as in `create` */
  async update(actor: string | null, name: string, changes: Partial<KeyProperties>): Promise<AccessKey> {
    let shown: Pick<AuditRecord, 'before' | 'after'> = {};
    const key = await this.registry.change(name, (facts) => {
      const before = present(facts);
      const changed = { ...before, ...changes };
      this.requireOperable(changed, facts);
      shown = { before: onlyChanged(before, changed), after: onlyChanged(changed, before) };
      return { key: changed };
    });
    await this.audit.add({ actor, action: 'key.update', subject: name, ...shown });
    return key;
  }

  /**
   * Gives a key a new secret.
   * @param overlapMs time for which the present ones are still accepted
   * @param shown digest of the secret by which its holder rotates it; left out for operators
   * @throws GatewayError `not_found`; and what `requireRotatable` refuses a holder
   */
  async rotate(actor: string | null, name: string, overlapMs: number, shown?: string): Promise<MadeKey> {
    const now = this.clock.now();
    const endsAt = now + overlapMs;
    const secret = newSecret();
    const fresh = { ...storedFormOf(secret), keyName: name, createdAt: now, expiresAt: null };
    const key = await this.registry.change(name, (facts) => {
      if (shown !== undefined) {
        requireRotatable(facts.secrets, shown, now);
      }
      const old = facts.secrets.map((one) => ({
        ...one,
        expiresAt: Math.min(one.expiresAt ?? endsAt, endsAt),
      }));
      return { key: present(facts), secrets: [...old, fresh] };
    });
    const after = { overlapMs, prefix: fresh.prefix };
    await this.audit.add({ actor, action: 'key.rotate', subject: name, after });
    return { key, secret };
  }

  /**
   * Ends a key for good. @param endRunning whether answers under way end, too
   * @throws GatewayError `not_found`; InvalidRequestError if it is the last operator's
   */
  async revoke(actor: string | null, name: string, endRunning: boolean): Promise<AccessKey> {
    const key = await this.registry.change(name, (facts) => {
      const revoked = { ...present(facts), revokedAt: this.clock.now() };
      this.requireOperable(revoked, facts);
      return { key: revoked, endsRunning: endRunning };
    });
    await this.audit.add({ actor, action: 'key.revoke', subject: name, after: { endRunning } });
    return key;
  }

  private requireOperable(changed: AccessKey, { otherOperators }: KeyFacts): void {
    requireOperable(this.settings, [...otherOperators, changed], this.clock.now(), 'role');
  }
}

/** The key that is to change, unless it has ended. */
function present({ key }: KeyFacts): AccessKey {
  if (!key || key.revokedAt !== null) {
    throw new GatewayError('not_found', 'There is no such key.');
  }
  return key;
}

/** The properties of a key that differ from those of another. */
function onlyChanged(key: AccessKey, other: AccessKey): Partial<AccessKey> {
  const others = new Map<string, unknown>(Object.entries(other));
  const changed = Object.entries(key).filter(([name, value]) => !isDeepStrictEqual(value, others.get(name)));
  return Object.fromEntries(changed);
}

const SHOWN_CHARS = 10;

/** A new secret: 256 bits of randomness. */
function newSecret(): string {
  return KEY_PREFIX + randomBytes(32).toString('base64url');
}

/** The stored form of a secret. */
function storedFormOf(secret: string): { readonly digest: string; readonly prefix: string } {
  return { digest: digestOf(secret), prefix: secret.slice(0, SHOWN_CHARS) };
}
