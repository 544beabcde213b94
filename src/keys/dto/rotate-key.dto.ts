import { IsInt, Max, Min } from 'class-validator';
import { DAY_MS } from '../../common/time/durations.js';

const MAX_OVERLAP_MS = 30 * DAY_MS;
const MESSAGE = `$property must be an integer from 0 to ${MAX_OVERLAP_MS}`;

/** Body of `POST /dashboard/api/keys/{name}/rotate`. */
export class RotateKeyDto {
  static readonly refusesUnknown = true;

  /** How long the old secret is accepted beside the new one; a day by default. */
  @IsInt({ message: MESSAGE })
  @Min(0, { message: MESSAGE })
  @Max(MAX_OVERLAP_MS, { message: MESSAGE })
  overlapMs = DAY_MS;
}
