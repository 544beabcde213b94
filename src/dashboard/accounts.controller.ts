import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Patch,
  Post,
  Req,
  StreamableFile,
} from '@nestjs/common';
import { type Request } from 'express';
import { LoginHandOver } from '../accounts/hand-over/login-hand-over.js';
import { type PoolStats } from '../accounts/pool/pool-stats.js';
import { SessionPool } from '../accounts/pool/session-pool.js';
import { type Account, type LoginFailure } from '../accounts/registry/account.js';
import { AccountCommands } from '../accounts/registry/account-commands.js';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { NodeList } from '../cluster/node-list.js';
import { AuditLog } from '../common/audit/audit-log.js';
import { GatewayError } from '../common/errors/gateway.errors.js';
import { actorOf } from '../common/http/access/caller-key.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { Clock } from '../common/time/clock.js';
import { type AccountView, toAccountView, toHolderView } from './account-view.js';
import { AddAccountDto } from './dto/add-account.dto.js';
import { UpdateAccountDto } from './dto/update-account.dto.js';

/** Lists and changes accounts. A change is answered with the new state of the account. */
@NeedsRole('operator')
@Controller('dashboard/api/accounts')
export class AccountsController {
  constructor(
    private readonly registry: AccountRegistry,
    private readonly commands: AccountCommands,
    private readonly pool: SessionPool,
    private readonly handOvers: LoginHandOver,
    private readonly nodes: NodeList,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  @Get()
  async list(): Promise<{
    accounts: AccountView[];
    pool: Omit<PoolStats, 'accounts' | 'capacity'>;
    canHandOver: boolean;
    credentialFields: AccountCommands['credentialFields'];
  }> {
    // While the database is away, the accounts themselves are what can be shown.
    const holders = await this.nodes.holders().catch(() => undefined);
    const wallNow = this.clock.now();
    const holdersOf = (id: string) =>
      holders && {
        holders: (holders.get(id) ?? []).map((holder) => toHolderView(holder, this.nodes.own, wallNow)),
      };
    const { accounts, sessions, idle, leases, opening, waiting } = this.pool.stats();
    return {
      accounts: this.registry
        .list()
        .map((account) => ({ ...this.view(account, accounts), ...holdersOf(account.id) })),
      pool: { sessions, idle, leases, opening, waiting },
      canHandOver: this.handOvers.isPossible,
      credentialFields: this.commands.credentialFields,
    };
  }

  @Post()
  add(@Req() request: Request, @Body() { name, credentials }: AddAccountDto): Promise<AccountView> {
    return this.audited(request, 'add', undefined, () => this.commands.add(name, credentials));
  }

  /** Logs in again every account that needs it. */
  @Post('login')
  @HttpCode(200)
  async loginAll(@Req() request: Request): Promise<{ accounts: AccountView[] }> {
    const out = this.registry.list().filter(({ needsLogin }) => needsLogin);
    const logins = out.map(({ id }) => this.audited(request, 'login', id, () => this.commands.login(id)));
    return { accounts: await Promise.all(logins) };
  }

  @Patch(':id')
  update(
    @Req() request: Request,
    @Param('id') id: string,
    @Body() { credentials }: UpdateAccountDto,
  ): Promise<AccountView> {
    return this.audited(request, 'update', id, () => this.commands.update(id, credentials));
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@Req() request: Request, @Param('id') id: string): Promise<void> {
    const before = this.registry.get(id);
    await this.commands.remove(id);
    await this.audit.add({ actor: actorOf(request), action: 'account.remove', subject: before.name });
  }

  @Post(':id/enable')
  @HttpCode(200)
  enable(@Req() request: Request, @Param('id') id: string): Promise<AccountView> {
    return this.audited(request, 'enable', id, () => this.commands.enable(id));
  }

  @Post(':id/disable')
  @HttpCode(200)
  disable(@Req() request: Request, @Param('id') id: string): Promise<AccountView> {
    return this.audited(request, 'disable', id, () => this.commands.disable(id));
  }

  @Post(':id/login')
  @HttpCode(200)
  login(@Req() request: Request, @Param('id') id: string): Promise<AccountView> {
    return this.audited(request, 'login', id, () => this.commands.login(id));
  }

  @Post(':id/clear-cooldown')
  @HttpCode(200)
  clearCooldown(@Req() request: Request, @Param('id') id: string): Promise<AccountView> {
    return this.audited(request, 'clear_cooldown', id, () => this.commands.clearCooldown(id));
  }

  @Get(':id/evidence')
  evidence(@Param('id') id: string): LoginFailure {
    return this.registry.get(id).loginFailure ?? noEvidence();
  }

  @Get(':id/evidence/screenshot')
  @Header('Content-Type', 'image/png')
  @Header('Cache-Control', 'no-store')
  async screenshot(@Param('id') id: string): Promise<StreamableFile> {
    return new StreamableFile((await this.registry.screenshot(id)) ?? noEvidence());
  }

  /** Runs a command, and keeps what it did to the state of the account: never its credentials. */
  private async audited(
    request: Request,
    action: string,
    id: string | undefined,
    command: () => Promise<Account>,
  ): Promise<AccountView> {
    const before = id === undefined ? undefined : this.view(this.registry.get(id));
    const after = this.view(await command());
    await this.audit.add({
      actor: actorOf(request),
      action: `account.${action}`,
      subject: after.name,
      before: before && { state: before.state },
      after: { state: after.state },
    });
    return after;
  }

  private view(account: Account, sessions = this.pool.stats().accounts): AccountView {
    return toAccountView(account, sessions[account.id], this.clock.monotonic(), this.clock.now());
  }
}

function noEvidence(): never {
  throw new GatewayError('not_found', 'There is no evidence of a failed login for this account.');
}
