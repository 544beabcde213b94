import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { type DecidingSettings } from '../../chat/record/recorded-completion.js';
import { ECHO_ACTIONS, type Settings, TOOL_MODES } from '../../common/config/settings.js';

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Body of `POST /dashboard/api/requests/:id/rerun`: settings in place of those that were in force. */
export class RerunDto implements DecidingSettings {
  @IsOptional()
  @IsIn(TOOL_MODES, { message: `$property must be ${EITHER.format(TOOL_MODES)}` })
  TOOL_MODE?: Settings['TOOL_MODE'];

  @IsOptional()
  @IsBoolean({ message: '$property must be a boolean' })
  TOOL_COMPRESSION?: boolean;

  @IsOptional()
  @IsIn(ECHO_ACTIONS, { message: `$property must be ${EITHER.format(ECHO_ACTIONS)}` })
  ECHO_ACTION?: Settings['ECHO_ACTION'];
}
