/**
 * Runs the soaks on the built gateway; their files say what each of them claims.
 *
 *     npm run test:soak -- [openai or browser, both by default] [requests]
 */
const [, , kind] = process.argv;
const soaks = { openai: './soak-openai.mjs', browser: './soak-browser.mjs' };
if (kind !== undefined && !Object.hasOwn(soaks, kind)) {
  console.error(`There is no soak ${kind}: choose ${Object.keys(soaks).join(' or ')}.`);
  process.exit(2);
}
let exitCode = 0;
for (const name of kind === undefined ? Object.keys(soaks) : [kind]) {
  await import(soaks[name]);
  exitCode ||= process.exitCode ?? 0;
}
process.exitCode = exitCode;
