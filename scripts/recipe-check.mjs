import { join } from 'node:path';
import { fail, root } from './lib/processes.mjs';
import {
  completeCredentials,
  displayEnvironment,
  failTool,
  givenCredentials,
  readArguments,
  stopSignal,
  UsageError,
} from './lib/recipe-tools.mjs';
import { ensureRuntime } from './lib/runtime.mjs';

const USAGE = `Usage: npm run recipe:check -- <recipe.json> [options]
       npm run recipe:check -- --sandbox [options]

Drives a site recipe from login to answer and shows each step, then sends a second prompt from a new chat.

  --sandbox              checks recipes/sandbox.json against a sandbox site of its own
  --user, --password     the account to log in with; or --credential name=value, or RECIPE_USER and the like in the
                         environment; what is missing is asked for
  --prompt <text>        what to ask
  --model <name>         the model at the site; default: the UPSTREAM_MODEL setting, or svc-max
  --no-thinking          thinking off
  --length <characters>  makes the second prompt so long
  --headful              shows the browser, where there is a display
  --screenshot <folder>  where the screenshot of a failure goes; default: a temporary folder

Exit code: 0 the recipe works, 1 it does not, 2 the recipe file or an argument is not valid.`;

const MAX_LENGTH = 10_000_000;

/* `npm run recipe:check`: see USAGE. */
try {
  const { values, positionals } = readArguments(
    {
      sandbox: { type: 'boolean' },
      prompt: { type: 'string', default: 'Say hello in one short sentence.' },
      model: { type: 'string' },
      thinking: { type: 'boolean', default: true },
      length: { type: 'string' },
      headful: { type: 'boolean' },
      screenshot: { type: 'string' },
    },
    USAGE,
  );
  if (positionals.length !== (values.sandbox ? 0 : 1)) {
    throw new UsageError(USAGE);
  }
  const length = Number(values.length ?? 0);
  if (!Number.isInteger(length) || length < 0 || length > MAX_LENGTH) {
    throw new UsageError(`--length: needs a whole number of characters up to ${MAX_LENGTH}.`);
  }
  const display = values.headful ? displayEnvironment() : undefined;
  if (values.headful && !display) {
    throw new UsageError('There is no display to show a browser on.');
  }
  await ensureRuntime();
  const { build, BUILDS } = await import('./build/build.mjs');
  await build(BUILDS.recipeTools);
  const { loadRecipe } = await import('../dist-tools/src/upstream/web/recipe/recipe-loader.js');
  const path = values.sandbox ? join(root, 'recipes', 'sandbox.json') : positionals[0];
  const recipe = await loadRecipe(path, values.sandbox ? ['site.origin'] : []);
  console.log(`Recipe ${path} is well-formed: ${recipe.name}`);
  process.exitCode = (await check(recipe, { ...values, length }, display)) ? 0 : 1;
} catch (error) {
  failTool(error, fail);
}

async function check(recipe, values, display) {
  const { siteCredentials } = await import('../dist-tools/src/upstream/web/account/site-credentials.js');
  const { SystemClock } = await import('../dist-tools/src/common/time/clock.js');
  const { RecipeCheck } = await import('../dist-tools/tools/recipe/check/recipe-check.js');
  const { prepareToDrive } = await import('./build/prepare.mjs');
  const wanted = siteCredentials(recipe).map(({ name }) => name);
  const given = givenCredentials(values, wanted);
  const { settings } = await prepareToDrive({ withWindow: display !== undefined });
  const site = values.sandbox ? await startSandbox() : undefined;
  try {
    const credentials = site?.credentials ?? (await completeCredentials(given, wanted));
    return await new RecipeCheck({
      recipe,
      variables: site?.variables,
      credentials,
      prompt: values.prompt,
      model: values.model ?? settings.UPSTREAM_MODEL ?? 'svc-max',
      thinking: values.thinking,
      length: values.length,
      screenshotFolder: values.screenshot,
      display,
      settings,
      clock: new SystemClock(),
      print: (line) => console.log(line),
      signal: stopSignal(),
    }).run();
  } finally {
    await site?.close();
  }
}

async function startSandbox() {
  const { SandboxSite } = await import('../dist-tools/src/sandbox/sandbox-site.js');
  const site = new SandboxSite();
  const origin = await site.start();
  const [{ name: user, password }] = site.accounts;
  return { credentials: { user, password }, variables: { 'site.origin': origin }, close: () => site.close() };
}
