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
  async add(@Req() request: Request, @Body() { name, credentials }: AddAccountDto): Promise<AccountView> {
    return this.view(await this.commands.add(actorOf(request), name, credentials));
  }

  /** Logs in again every account that needs it. */
  @Post('login')
  @HttpCode(200)
  async loginAll(@Req() request: Request): Promise<{ accounts: AccountView[] }> {
    const accounts = await this.commands.loginAll(actorOf(request));
    return { accounts: accounts.map((account) => this.view(account)) };
  }

  @Patch(':id')
  async update(
    @Req() request: Request,
    @Param('id') id: string,
    @Body() { credentials }: UpdateAccountDto,
  ): Promise<AccountView> {
    return this.view(await this.commands.update(actorOf(request), id, credentials));
  }

  @Delete(':id')
  @HttpCode(204)
  remove(@Req() request: Request, @Param('id') id: string): Promise<void> {
    return this.commands.remove(actorOf(request), id);
  }

  @Post(':id/enable')
  @HttpCode(200)
  async enable(@Req() request: Request, @Param('id') id: string): Promise<AccountView> {
    return this.view(await this.commands.enable(actorOf(request), id));
  }

  @Post(':id/disable')
  @HttpCode(200)
  async disable(@Req() request: Request, @Param('id') id: string): Promise<AccountView> {
    return this.view(await this.commands.disable(actorOf(request), id));
  }

  @Post(':id/login')
  @HttpCode(200)
  async login(@Req() request: Request, @Param('id') id: string): Promise<AccountView> {
    return this.view(await this.commands.login(actorOf(request), id));
  }

  @Post(':id/clear-cooldown')
  @HttpCode(200)
  async clearCooldown(@Req() request: Request, @Param('id') id: string): Promise<AccountView> {
    return this.view(await this.commands.clearCooldown(actorOf(request), id));
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

  private view(account: Account, sessions = this.pool.stats().accounts): AccountView {
    return toAccountView(account, sessions[account.id], this.clock.monotonic(), this.clock.now());
  }
}

function noEvidence(): never {
  throw new GatewayError('not_found', 'There is no evidence of a failed login for this account.');
}
