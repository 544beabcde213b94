import { type Clock } from '../../../common/time/clock.js';
import { type PageTraffic } from '../page/page-traffic.js';
import { type WorkbenchObserver } from '../page/workbench-observer.js';
import { type NetworkRules } from '../recipe/capture-rules.js';
import { type Signs } from '../recipe/recipe-signs.js';

export interface NetworkCaptureOptions<Rules extends NetworkRules> {
  readonly rules: Rules;
  readonly signs: Signs;
  readonly clock: Clock;
  /** Most bytes without a piece of the answer. */
  readonly maxFillerBytes: () => number;
  readonly workbench?: WorkbenchObserver;
  readonly traffic: PageTraffic;
  /** See `AnswerCapture.placeholder`. */
  readonly placeholder: string | undefined;
}
