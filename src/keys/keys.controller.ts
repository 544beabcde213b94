import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { type Request } from 'express';
import { type AuditEntry, AuditLog } from '../common/audit/audit-log.js';
import { actorOf } from '../common/http/access/caller-key.js';
import { type KeyObstacle, KeyRing } from '../common/http/access/key-ring.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { Clock } from '../common/time/clock.js';
import { type AccessKey, type LimitName, obstacleOfKey } from './access-key.js';
import { CreateKeyDto } from './dto/create-key.dto.js';
import { allProperties, KeyPropertiesDto, namedProperties } from './dto/key-properties.dto.js';
import { ListAuditDto } from './dto/list-audit.dto.js';
import { RevokeKeyDto } from './dto/revoke-key.dto.js';
import { RotateKeyDto } from './dto/rotate-key.dto.js';
import { KeyCommands, type MadeKey } from './key-commands.js';
import { KeyRegistry } from './key-registry.js';
import { KeyLimiters } from './limits/key-limiters.js';

interface KeyView extends AccessKey {
  readonly state: 'active' | KeyObstacle;
  /** Beginnings of the secrets that are accepted, or would be if the key were. */
  readonly secrets: readonly { readonly prefix: string; readonly expiresAt: number | null }[];
  /** Units of each limit that are in use on this gateway; what was set aside for answers under way counts. */
  readonly inUse: Readonly<Record<LimitName, number>>;
}

/** A key with its secret, which is shown nowhere else and never again. */
interface MadeKeyView extends KeyView {
  readonly secret: string;
}

interface KeyList {
  readonly keys: readonly KeyView[];
  /** Names of the keys in the settings. */
  readonly configured: readonly string[];
  readonly isLocked: boolean;
  /** Whether other gateways may use the limits, too. */
  readonly isDivided: boolean;
}

/** Keys of callers and operators, and what was done with them. */
@NeedsRole('operator')
@Controller('dashboard/api')
export class KeysController {
  constructor(
    private readonly registry: KeyRegistry,
    private readonly commands: KeyCommands,
    private readonly limiters: KeyLimiters,
    private readonly auditLog: AuditLog,
    private readonly ring: KeyRing,
    private readonly clock: Clock,
  ) {}

  @Get('keys')
  list(): KeyList {
    return {
      keys: this.registry.list().map((key) => this.view(key)),
      configured: this.ring.configuredNames(),
      isLocked: this.ring.isLocked,
      isDivided: this.limiters.areDivided,
    };
  }

  @Post('keys')
  async create(@Req() request: Request, @Body() body: CreateKeyDto): Promise<MadeKeyView> {
    return this.made(await this.commands.create(actorOf(request), body.name, allProperties(body)));
  }

  @Patch('keys/:name')
  async update(
    @Req() request: Request,
    @Param('name') name: string,
    @Body() body: KeyPropertiesDto,
  ): Promise<KeyView> {
    return this.view(await this.commands.update(actorOf(request), name, namedProperties(body)));
  }

  @Post('keys/:name/rotate')
  @HttpCode(200)
  async rotate(
    @Req() request: Request,
    @Param('name') name: string,
    @Body() body: RotateKeyDto,
  ): Promise<MadeKeyView> {
    return this.made(await this.commands.rotate(actorOf(request), name, body.overlapMs));
  }

  @Post('keys/:name/revoke')
  @HttpCode(200)
  async revoke(
    @Req() request: Request,
    @Param('name') name: string,
    @Body() body: RevokeKeyDto,
  ): Promise<KeyView> {
    return this.view(await this.commands.revoke(actorOf(request), name, body.running === 'end'));
  }

  @Get('audit')
  async audit(
    @Query() { limit, before }: ListAuditDto,
  ): Promise<{ readonly actions: readonly AuditEntry[] }> {
    return { actions: await this.auditLog.list(limit, before) };
  }

  private made({ key, secret }: MadeKey): MadeKeyView {
    return { ...this.view(key), secret };
  }

  private view(key: AccessKey): KeyView {
    const now = this.clock.now();
    const secrets = this.registry
      .secretsOf(key.name)
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .map(({ prefix, expiresAt }) => ({ prefix, expiresAt }));
    const state = obstacleOfKey(key, { expiresAt: null }, now) ?? 'active';
    return { ...key, state, secrets, inUse: this.limiters.inUse(key.name) };
  }
}
