import { IsIn } from 'class-validator';

/** Body of `POST /dashboard/api/keys/{name}/revoke`. */
export class RevokeKeyDto {
  static readonly refusesUnknown = true;

  /** What becomes of answers under way. */
  @IsIn(['end', 'finish'], { message: '$property must be end or finish' })
  running: 'end' | 'finish' = 'end';
}
