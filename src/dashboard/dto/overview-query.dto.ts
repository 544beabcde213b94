import { IntegerQuery } from '../../common/http/body/integer-query.decorator.js';

/** A week; so long are figures of minutes kept. */
export const MAX_MINUTES = 10_080;

/** Query of `GET /dashboard/api/overview`. */
export class OverviewQueryDto {
  static readonly refusesUnknown = true;

  /** Length of the window up to now; an hour by default, a week at most. */
  @IntegerQuery({ min: 1, max: MAX_MINUTES })
  minutes = 60;
}
