/** One thing that is wrong with the configuration. */
export interface SettingsProblem {
  /** The settings that it is about. */
  readonly names: readonly string[];
  /** Shows no value of a setting. */
  readonly text: string;
  /** Source and line of the value, where there is one. */
  readonly place?: string;
}

/** All that is wrong with the configuration, one line each; the process must not start with it. */
export class SettingsError extends Error {
  override name = 'SettingsError';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}
