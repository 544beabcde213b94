/** A recipe that cannot be used; `problems` has one line each, beginning with the path of the bad key. */
export class InvalidRecipeError extends Error {
  override name = 'InvalidRecipeError';

  constructor(
    source: string,
    readonly problems: readonly string[],
  ) {
    super(`The site recipe ${source} is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}
