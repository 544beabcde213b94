import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fail, root } from './lib/processes.mjs';
import {
  displayEnvironment,
  failTool,
  givenCredentials,
  readArguments,
  stopSignal,
  UsageError,
} from './lib/recipe-tools.mjs';
import { ensureRuntime } from './lib/runtime.mjs';

const USAGE = `Usage: npm run recipe:record -- <url> [options]

Opens a chat site, watches a login and one message, and writes a first recipe of it. Where there is a display, you do
both in the browser that opens; else the tool tries by itself.

  --out <file>           where the recipe goes; default: recipes/<host>.json. A file that is there is not replaced
  --user, --password     the account, where the tool logs in by itself; or RECIPE_USER and RECIPE_PASSWORD in the
                         environment
  --prompt <text>        what the tool asks by itself
  --headless             by itself even where there is a display

Exit code: 0 a recipe was written, 1 none, 2 an argument is not valid.`;

/* `npm run recipe:record`: see USAGE. */
try {
  const { values, positionals } = readArguments(
    {
      out: { type: 'string' },
      prompt: { type: 'string', default: 'Say hello in one short sentence.' },
      headless: { type: 'boolean' },
    },
    USAGE,
  );
  if (positionals.length !== 1 || !URL.canParse(positionals[0]) || !/^https?:/.test(positionals[0])) {
    throw new UsageError(USAGE);
  }
  const url = new URL(positionals[0]);
  const out = values.out ?? join(root, 'recipes', `${url.hostname}.json`);
  if (existsSync(out)) {
    throw new UsageError(`${out} is there already: name another file with --out.`);
  }
  const credentials = givenCredentials(values, ['user', 'password']);
  await ensureRuntime();
  const { recipe, notes } = await record(url.href, credentials, values);
  const { format, resolveConfig } = await import('prettier');
  const text = await format(JSON.stringify(recipe), { ...(await resolveConfig(out)), parser: 'json' });
  writeFileSync(out, text, { flag: 'wx' });
  console.log(`✓ wrote ${out}. Look at:`);
  notes.forEach((note) => console.log(`  - ${note}`));
  console.log(`Then: npm run recipe:check -- ${out}`);
  process.exit(0);
} catch (error) {
  if (error.name === 'RobotError' || error.name === 'NothingRecordedError') {
    console.error(`✗ ${error.message}`);
    process.exit(1);
  }
  failTool(error, fail);
}

async function record(url, credentials, { prompt, headless }) {
  const { prepareToDrive } = await import('./build/prepare.mjs');
  const display = headless ? undefined : displayEnvironment();
  const { settings } = await prepareToDrive({ withWindow: display !== undefined });
  const { SystemClock } = await import('../dist-tools/src/common/time/clock.js');
  const { RecipeRecord } = await import('../dist-tools/tools/recipe/record/recipe-record.js');
  return new RecipeRecord({
    url,
    credentials,
    prompt,
    display,
    whenDone: display && enterPressed(),
    settings,
    clock: new SystemClock(),
    print: (line) => console.log(line),
    signal: stopSignal(),
  }).run();
}

/** Never, where there is no terminal: closing the window ends the recording then. */
function enterPressed() {
  return new Promise((resolve) => {
    if (process.stdin.isTTY) {
      createInterface({ input: process.stdin }).once('line', () => resolve());
    }
  });
}
