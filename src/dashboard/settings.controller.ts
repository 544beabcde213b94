import { Body, Controller, Get, Headers, Patch, Res } from '@nestjs/common';
import { type Response } from 'express';
import { SessionPool } from '../accounts/pool/session-pool.js';
import { settingInfos } from '../common/config/setting.decorators.js';
import { type SavedSettings, SettingsEditor } from '../common/config/settings-editor.js';
import { GatewayError } from '../common/errors/gateway.errors.js';
import { NeedsRole } from '../common/http/access/needs-role.decorator.js';
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
    private readonly editor: SettingsEditor,
    private readonly pool: SessionPool,
  ) {}

  @Get()
  read(@Res({ passthrough: true }) response: Response): SettingsAnswer {
    return answer(this.editor.read(), response);
  }

  @Patch()
  save(
    @Body() { values }: UpdateSettingsDto,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): SettingsAnswer {
    if (ifMatch === undefined) {
      throw new GatewayError(
        'precondition_required',
        'Send the version that the change is based on as If-Match.',
      );
    }
    const saved = this.editor.save(values, (version) => matchesVersion(ifMatch, version));
    this.pool.limitsChanged();
    return answer(saved, response);
  }
}

function answer(saved: SavedSettings, response: Response): SettingsAnswer {
  response.setHeader('ETag', `"${saved.version}"`);
  return {
    version: saved.version,
    settings: settingInfos().map((info) => toSettingView(info, saved)),
  };
}
