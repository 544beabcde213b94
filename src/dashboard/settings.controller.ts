import { Body, Controller, Get, Headers, Patch, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { SharedSettings } from '../cluster/shared-settings.js';
import { AuditLog } from '../common/audit/audit-log.js';
import { settingInfos } from '../common/config/setting.decorators.js';
import { type SavedSettings } from '../common/config/settings-editor.js';
import { GatewayError, InvalidRequestError } from '../common/errors/gateway.errors.js';
import { actorOf } from '../common/http/access/caller-key.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { REDACTED } from '../common/network/known-secrets.js';
import { type JsonObject } from '../common/text/json-object.js';
import { KeyRegistry } from '../keys/key-registry.js';
import { UpdateSettingsDto } from './dto/update-settings.dto.js';
import { type SettingView, toSettingView } from './setting-view.js';
import { matchesVersion } from './version-match.js';

interface SettingsAnswer {
  readonly version: string;
  readonly settings: readonly SettingView[];
}

/** Reads and saves the settings. A change must carry the version of the last answer in `If-Match`. */
@NeedsRole('operator')
@Controller('dashboard/api/settings')
export class SettingsController {
  constructor(
    private readonly shared: SharedSettings,
    private readonly keys: KeyRegistry,
    private readonly audit: AuditLog,
  ) {}

  @Get()
  async read(@Res({ passthrough: true }) response: Response): Promise<SettingsAnswer> {
    return answer(await this.shared.read(), response);
  }

  @Patch()
  async save(
    @Body() { values }: UpdateSettingsDto,
    @Req() request: Request,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SettingsAnswer> {
    if (ifMatch === undefined) {
      throw new GatewayError(
        'precondition_required',
        'Send the version that the change is based on as If-Match.',
      );
    }
    this.requireOperator(values);
    const { before, saved } = await this.shared.save(values, (version) => matchesVersion(ifMatch, version));
    await this.audit.add({
      actor: actorOf(request),
      action: 'settings.change',
      subject: null,
      before: shownValues(before, values),
      after: shownValues(saved, values),
    });
    return answer(saved, response);
  }

  /** As a change of a key may not, one of `API_KEY` may not close the gateway to everybody. */
  private requireOperator({ API_KEY }: JsonObject): void {
    if ((API_KEY === null || API_KEY === '') && this.keys.needsMasterKey) {
      throw new InvalidRequestError(
        "Nobody could operate the gateway without API_KEY: make an operator's key first.",
        'values.API_KEY',
      );
    }
  }
}

function answer(saved: SavedSettings, response: Response): SettingsAnswer {
  response.setHeader('ETag', `"${saved.version}"`);
  return {
    version: saved.version,
    settings: settingInfos().map((info) => toSettingView(info, saved)),
  };
}

/** The values of some settings, without secrets. */
function shownValues(saved: SavedSettings, names: object): Record<string, unknown> {
  const shown = settingInfos().filter(({ name }) => name in names);
  const values = new Map(Object.entries(saved.settings));
  return Object.fromEntries(shown.map(({ name, secret }) => [name, secret ? REDACTED : values.get(name)]));
}
