import { Body, Controller, Get, Headers, Patch, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { SharedSettings } from '../cluster/shared-settings.js';
import { settingInfos } from '../common/config/setting.decorators.js';
import { type SavedSettings } from '../common/config/settings-editor.js';
import { GatewayError } from '../common/errors/gateway.errors.js';
import { actorOf } from '../common/http/access/caller-key.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
import { UpdateSettingsDto } from './dto/update-settings.dto.js';
import { type SettingView, toSettingView } from './setting-view.js';
import { SettingsCommands } from './settings-commands.js';
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
    private readonly commands: SettingsCommands,
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
    const isCurrent = (version: string): boolean => matchesVersion(ifMatch, version);
    return answer(await this.commands.save(actorOf(request), values, isCurrent), response);
  }
}

function answer(saved: SavedSettings, response: Response): SettingsAnswer {
  response.setHeader('ETag', `"${saved.version}"`);
  return {
    version: saved.version,
    settings: settingInfos().map((info) => toSettingView(info, saved)),
  };
}
