/** All that is wrong with the configuration, one line each; the process must not start with it. */
export class SettingsError extends Error {
  override name = 'SettingsError';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}
