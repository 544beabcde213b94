import { type SharedOutage } from './shared-outage.js';

/** Time of successes alone after which what fails now and then works. */
const STEADY_MS = 5000;

/** Failure state of something that is retried: reported once when it begins to fail, and once when it works again. */
export class Outage {
  private readonly shared: SharedOutage | undefined;
  private readonly triesOn: boolean;
  private readonly isPatchy: boolean;
  private isOn = false;
  private isToldByAll = false;
  /** Ends it after successes alone. */
  private ending: NodeJS.Timeout | undefined;

  constructor(
    private readonly tell: { begun(error: unknown): void; over(): void },
    options: {
      /** Reports failures that several parts share, instead of this one. */
      readonly shared?: SharedOutage | undefined;
      /** Whether the failed work is retried soon rather than at its next use; true by default. */
      readonly triesOn?: boolean;
      /**
       * Whether some tries may succeed all the while, as over connections that are open where no more are to be had: it is
       * over 5 s after a success, without a failure meanwhile. False by default.
       */
      readonly isPatchy?: boolean;
    } = {},
  ) {
    this.shared = options.shared;
    this.triesOn = options.triesOn ?? true;
    this.isPatchy = options.isPatchy ?? false;
  }

  /** Whether it is not over. */
  get isOngoing(): boolean {
    return this.isOn;
  }

  failed(error: unknown): void {
    clearTimeout(this.ending);
    this.ending = undefined;
    if (!this.isOn) {
      this.isOn = true;
      this.isToldByAll = this.shared?.began(this, error, this.triesOn) ?? false;
      if (!this.isToldByAll) {
        this.tell.begun(error);
      }
    }
  }

  succeeded(): void {
    if (this.isOn && this.isPatchy) {
      this.ending ??= setTimeout(() => this.end(), STEADY_MS).unref();
    } else if (this.isOn) {
      this.end();
    }
  }

  private end(): void {
    this.isOn = false;
    this.ending = undefined;
    if (this.isToldByAll) {
      this.shared?.ended(this);
    } else {
      this.tell.over();
    }
  }
}
