/** One fault of the configuration. */
export interface SettingsProblem {
  /** Names of the settings at fault. */
  readonly names: readonly string[];
  /** Message without a full stop; it quotes no value, which may be a secret. */
  readonly text: string;
  /** Source and line of the value, of each for a rule over several settings; undefined for what belongs to no source. */
  readonly place?: string;
}

/** Settings of other gateways that cannot be used here. */
export type LeftOut = Pick<SettingsProblem, 'names' | 'text'>;

/** Every fault of the configuration, one line each in the message. The process must not start. */
export class SettingsError extends Error {
  override name = 'SettingsError';

  constructor(
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super(
      `The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
      options,
    );
  }
}
