/** A function that runs in a page: it may use its parameters, what the page has, and the parts it is joined with. */
type PageFunction = (...args: never[]) => unknown;

/** Values that functions of a page refer to by these names: JSON, or regular expressions. */
type PageConstants = Readonly<Record<string, RegExp | object | string | number>>;

/**
 * The source of an expression that calls the first of the functions in a page.
 * @param functions named functions, which may call each other
 * @param constants module constants that the functions use, by name
 * @param args JSON values
 */
export function pageScript(
  functions: readonly [PageFunction, ...PageFunction[]],
  constants: PageConstants,
  ...args: readonly unknown[]
): string {
  const declarations = Object.entries(constants).map(
    ([name, value]) => `const ${name} = ${value instanceof RegExp ? String(value) : JSON.stringify(value)};`,
  );
  const call = `${functions[0].name}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`;
  return ['(() => {', ...declarations, ...functions.map(String), `return ${call};`, '})()'].join('\n');
}

/** Matches a text that holds one of the patterns, in any case. */
export function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'), 'i');
}
