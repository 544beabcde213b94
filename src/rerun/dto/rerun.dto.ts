import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { type DecidingSettings } from '../../chat/record/recorded-completion.js';

/** Body of `POST /dashboard/api/requests/:id/rerun`: settings in place of those that were in force. */
export class RerunDto implements DecidingSettings {
  @IsOptional()
  @IsIn(['native', 'emulated'], { message: '$property must be native or emulated' })
  TOOL_MODE?: 'native' | 'emulated';

  @IsOptional()
  @IsBoolean({ message: '$property must be a boolean' })
  TOOL_COMPRESSION?: boolean;

  @IsOptional()
  @IsIn(['auto', 'drop', 'regenerate', 'off'], {
    message: '$property must be auto, drop, regenerate or off',
  })
  ECHO_ACTION?: 'auto' | 'drop' | 'regenerate' | 'off';
}
