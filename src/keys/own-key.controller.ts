import { Body, Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import { type Request } from 'express';
import { callerKeyOf, type KeyRole } from '../common/http/access/caller-key.js';
import { NotCounted } from '../common/http/access/limit-decorators.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { Clock } from '../common/time/clock.js';
import {
  eachLimit,
  type KeyLimits,
  type KeySecret,
  type LimitName,
  NO_LIMITS,
  type Priority,
} from './access-key.js';
import { RotateKeyDto } from './dto/rotate-key.dto.js';
import { OwnUsageDto } from './dto/usage.dto.js';
import { KeyCommands } from './key-commands.js';
import { KeyRegistry } from './key-registry.js';
import { KeyLimiters } from './limits/key-limiters.js';
import { untilMidnightMs } from './limits/token-day.js';
import { type OwnUsage, toOwnUsage } from './usage/own-usage.js';
import { UsageService } from './usage/usage.service.js';

/** The key of a request: its limits, and what it has used of them. */
interface OwnKey extends KeyLimits {
  /** Null while the gateway has no keys. */
  readonly name: string | null;
  readonly role: KeyRole;
  /** Ids of models; all if null. */
  readonly models: readonly string[] | null;
  readonly priority: Priority;
  /** Unix milliseconds; never if null. */
  readonly expiresAt: number | null;
  /** The secret of the request; `expiresAt` is null unless there is a newer one. Null for a key of the settings. */
  readonly secret: Pick<KeySecret, 'createdAt' | 'expiresAt'> | null;
  /** Units of each limit that are in use on this gateway; what was set aside for answers under way counts. */
  readonly inUse: Readonly<Record<LimitName, number>>;
  /** Whether other gateways may use the limits, too. */
  readonly isDivided: boolean;
  /** Milliseconds until another request may be sent, and until the tokens of the day are counted anew. */
  readonly waitMs: number;
  readonly dayEndsMs: number;
}

/** A key with its new secret, which is shown nowhere else and never again. */
interface RotatedKeyView {
  readonly name: string;
  readonly secret: string;
}

/** Keys of the settings have none, nor has a gateway without keys. */
const UNLIMITED = { ...NO_LIMITS, models: null, priority: 'interactive', expiresAt: null } as const;

/** What the holder of a key may know of it. */
@NeedsRole('caller')
@Controller('dashboard/api/own-key')
export class OwnKeyController {
  constructor(
    private readonly registry: KeyRegistry,
    private readonly commands: KeyCommands,
    private readonly limiters: KeyLimiters,
    private readonly usage: UsageService,
    private readonly clock: Clock,
  ) {}

  @Get()
  read(@Req() request: Request): OwnKey {
    const { name = null, role = 'operator', digest } = callerKeyOf(request) ?? {};
    const named = name === null ? undefined : this.registry.named(name);
    const secret = this.registry.secretsOf(name ?? '').find((one) => one.digest === digest);
    const key = named ?? UNLIMITED;
    return {
      name,
      role,
      models: key.models,
      priority: key.priority,
      expiresAt: key.expiresAt,
      secret: secret ? { createdAt: secret.createdAt, expiresAt: secret.expiresAt } : null,
      ...eachLimit((limit) => key[limit]),
      inUse: this.limiters.inUse(name ?? ''),
      isDivided: this.limiters.areDivided,
      waitMs: named ? Math.ceil(this.limiters.waitMs(named)) : 0,
      dayEndsMs: untilMidnightMs(this.clock.now()),
    };
  }

  /** The same as `GET /v1/usage`, which the log shows among the requests of the key: a page reads it again and again. */
  @Get('usage')
  async readUsage(@Req() request: Request, @Query() { days }: OwnUsageDto): Promise<OwnUsage> {
    return toOwnUsage(await this.usage.read(days, callerKeyOf(request)?.name ?? ''));
  }

  /** Gives the key a new secret, which is shown this once. */
  @NotCounted()
  @Post('rotate')
  @HttpCode(200)
  async rotate(@Req() request: Request, @Body() { overlapMs }: RotateKeyDto): Promise<RotatedKeyView> {
    const { name = '', digest = '' } = callerKeyOf(request) ?? {};
    const { secret } = await this.commands.rotate(name, name, overlapMs, digest);
    return { name, secret };
  }
}
