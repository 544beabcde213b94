import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, root, SetupError } from './lib/processes.mjs';
import { ensureRuntime } from './lib/runtime.mjs';

const USAGE = `Usage: npm run rerun -- <id | file.json> [options]

Runs a recorded completion (RECORD_UPSTREAM) again through this build, without the upstream, and shows what is decided
otherwise. An id is looked up in the log of DATA_DIR.

  --chunking <list>   how the answer is cut into reads: recorded, whole, or characters a read; default recorded,whole,1,7,64
  --set NAME=value    a setting in place of the recorded one: TOOL_MODE, TOOL_COMPRESSION, ECHO_ACTION; several times
  --keep              keeps the recording as a test case, in test/recorded; nothing is redacted but credentials

Exit code: 0 everything is decided as before, 1 something is not, 2 an argument is not valid.`;

/* `npm run rerun`: see USAGE. */
try {
  const { positionals, values } = readArguments();
  const chunkings = values.chunking.split(',').map(readChunking);
  await ensureRuntime();
  const { build } = await import('./build/build.mjs');
  await build();
  const settings = await readSettings(values.set);
  const json = existsSync(positionals[0])
    ? readFileSync(positionals[0], 'utf8')
    : await storedRecording(positionals[0]);
  process.exitCode = (await rerunAll(json, chunkings, settings)) ? 0 : 1;
  if (values.keep) {
    keep(basename(positionals[0], '.json'), json);
  }
} catch (error) {
  fail(error);
}

function readArguments() {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        chunking: { type: 'string', default: 'recorded,whole,1,7,64' },
        set: { type: 'string', multiple: true, default: [] },
        keep: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    endWith(2, `${error.message}\n\n${USAGE}`);
  }
  if (parsed.values.help) {
    endWith(0, USAGE);
  }
  if (parsed.positionals.length !== 1) {
    endWith(2, USAGE);
  }
  return parsed;
}

function readChunking(text) {
  if (text === 'recorded' || text === 'whole') {
    return text;
  }
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    endWith(2, `--chunking: ${text} is neither recorded nor whole nor a number of characters.`);
  }
  return Number(text);
}

/** Those that the dashboard's rerun takes, too. */
async function readSettings(set) {
  const { plainToInstance } = await import('class-transformer');
  const { validateSync } = await import('class-validator');
  const { RerunDto } = await import('../dist/rerun/dto/rerun.dto.js');
  const settings = Object.fromEntries(set.map(readSetting));
  const dto = plainToInstance(RerunDto, settings);
  const problems = validateSync(dto, { whitelist: true, forbidNonWhitelisted: true });
  if (problems.length > 0) {
    const texts = problems.flatMap(({ constraints }) => Object.values(constraints));
    endWith(2, texts.map((text) => `--set: ${text}`).join('\n'));
  }
  return settings;
}

async function storedRecording(id) {
  const { loadSettings } = await import('../dist/common/config/settings-loader.js');
  const { openForReading } = await import('../dist/logs/store/log-database.js');
  const { selectRecording } = await import('../dist/logs/store/select-recording.js');
  const { DATA_DIR } = await loadSettings(process.env, root);
  const path = join(resolve(root, DATA_DIR), 'logs.db');
  if (!existsSync(path)) {
    throw new SetupError(`${id} is no file, and there is no log at ${path}.`);
  }
  const database = openForReading(path);
  try {
    const json = selectRecording(database, id);
    if (json === undefined) {
      throw new SetupError(`What the upstream sent for ${id} is not kept (RECORD_UPSTREAM).`);
    }
    return json;
  } finally {
    database.close();
  }
}

/** @returns whether every run decides as the recorded one */
async function rerunAll(json, chunkings, settings) {
  const { rerun } = await import('../dist/rerun/rerun.js');
  const { NoUpstream } = await import('../dist/rerun/no-upstream.js');
  const { parseRecording } = await import('../dist/chat/record/recorded-completion.js');
  const { differences } = await import('../dist/chat/record/decisions.js');
  const { CondensedResults } = await import('../dist/chat/compression/condensed-results.js');
  const { Tokenizer } = await import('../dist/chat/completion/tokens/tokenizer.js');
  const { Settings } = await import('../dist/common/config/settings.js');
  const { SystemClock } = await import('../dist/common/time/clock.js');
  const recorded = parseRecording(json);
  const tools = {
    settings: new Settings(),
    driver: new NoUpstream(),
    tokenizer: new Tokenizer(),
    condensedResults: new CondensedResults(),
    clock: new SystemClock(),
  };
  let isSame = true;
  for (const chunking of chunkings) {
    const now = await rerun(recorded, tools, {
      chunking,
      settings,
      signal: new AbortController().signal,
    });
    const found = differences(recorded.decisions, now);
    isSame &&= found.length === 0;
    console.log(
      `${String(chunking).padEnd(9)} ${found.length === 0 ? 'as before' : `${found.length} decided otherwise`}`,
    );
    found.forEach(({ path, then, now: other }) =>
      console.log(`  ${path}\n    - ${shown(then)}\n    + ${shown(other)}`),
    );
  }
  await tools.condensedResults.close();
  return isSame;
}

function readSetting(text) {
  const at = text.indexOf('=');
  if (at < 1) {
    endWith(2, '--set takes NAME=value.');
  }
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  return [name, value === 'true' ? true : value === 'false' ? false : value];
}

/** One line of a value. */
function shown(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
}

function keep(name, json) {
  const folder = join(root, 'test', 'recorded');
  const path = join(folder, `${name}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${JSON.stringify(JSON.parse(json), null, 1)}\n`);
  console.log(`Kept as ${path}; test/rerun/kept.spec.ts runs it from now on.`);
}

function endWith(code, text) {
  console.error(text);
  process.exit(code);
}
