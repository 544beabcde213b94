import { IntegerQuery } from '../../common/http/body/integer-query.decorator.js';

/** Query of `GET /dashboard/api/overview`. */
export class OverviewQueryDto {
  static readonly refusesUnknown = true;

  /** Length of the window up to now; an hour by default, a week at most. */
  @IntegerQuery({ min: 1, max: 10_080 })
  minutes = 60;
}
