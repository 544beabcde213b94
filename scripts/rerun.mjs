import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, root, SetupError } from './lib/processes.mjs';
import { ensureRuntime } from './lib/runtime.mjs';

const USAGE = `Usage: npm run rerun -- <id | file.json> [options]
       npm run rerun -- --since <time> [options]

Runs recorded completions (RECORD_UPSTREAM) again through this build, without the upstream, and shows what is decided
differently. An id is looked up in the log of DATA_DIR, which a running gateway may have in use.

  --since <time>      all that were recorded in that time, the latest first: 90m, 24h, 7d
  --limit <number>    with --since: so many at most
  --chunking <list>   how the answer is cut into reads: recorded, whole, or characters a read; default recorded,whole,1,7,64;
                      with --since one, default recorded
  --set NAME=value    a setting in place of the recorded one: TOOL_MODE, TOOL_COMPRESSION, ECHO_ACTION; several times
  --keep              keeps the recording as a test case, in test/recorded; nothing is redacted but credentials

Exit code: 0 everything is decided as before, 1 something is not, 2 nothing could be run, or an argument is not valid.`;

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/* `npm run rerun`: see USAGE. */
try {
  const { file, since, limit, chunkings, set, isKept } = readArguments();
  await ensureRuntime();
  const { build } = await import('./build/build.mjs');
  await build();
  const settings = await readSettings(set);
  if (since) {
    const range = { fromMs: Date.now() - since, limit };
    process.exitCode = (await rerunLogged(range, { chunking: chunkings[0], settings })) ? 0 : 1;
  } else {
    const json = existsSync(file) ? readFileSync(file, 'utf8') : await storedRecording(file);
    process.exitCode = (await rerunCut(json, chunkings, settings)) ? 0 : 1;
    if (isKept) {
      keep(basename(file, '.json'), json);
    }
  }
} catch (error) {
  fail(error, 2);
}

function readArguments() {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        since: { type: 'string' },
        limit: { type: 'string' },
        chunking: { type: 'string' },
        set: { type: 'string', multiple: true, default: [] },
        keep: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    refuse(`${error.message}\n\n${USAGE}`);
  }
  const { positionals, values } = parsed;
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const isLog = values.since !== undefined;
  if (positionals.length !== (isLog ? 0 : 1) || (isLog ? values.keep : values.limit !== undefined)) {
    refuse(USAGE);
  }
  const { chunking = isLog ? 'recorded' : 'recorded,whole,1,7,64' } = values;
  const chunkings = chunking.split(',').map(readChunking);
  if (isLog && chunkings.length > 1) {
    refuse('--chunking: takes one with --since.');
  }
  return {
    file: positionals[0],
    since: isLog ? readTime(values.since) : undefined,
    limit: values.limit === undefined ? undefined : readLimit(values.limit),
    chunkings,
    set: values.set,
    isKept: values.keep,
  };
}

/** Milliseconds. */
function readTime(text) {
  const [, number, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  if (unit === undefined) {
    refuse(`--since: ${text} is no time such as 90m, 24h or 7d.`);
  }
  return Number(number) * UNITS_MS[unit];
}

function readLimit(text) {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    refuse(`--limit: ${text} is no number of requests.`);
  }
  return Number(text);
}

function readChunking(text) {
  if (text === 'recorded' || text === 'whole') {
    return text;
  }
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    refuse(`--chunking: ${text} is neither recorded nor whole nor a number of characters.`);
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
    refuse(texts.map((text) => `--set: ${text}`).join('\n'));
  }
  return settings;
}

async function storedRecording(id) {
  const { selectRecording } = await import('../dist/logs/store/select-recording.js');
  const { path, database } = await openLog(`${id} is no file, and there`);
  try {
    const json = selectRecording(database, id);
    if (json === undefined) {
      throw new SetupError(`What the upstream sent for ${id} is not kept in ${path} (RECORD_UPSTREAM).`);
    }
    return json;
  } finally {
    database.close();
  }
}

/** @param there beginning of the sentence that there is none */
async function openLog(there) {
  const { loadSettings } = await import('../dist/common/config/settings-loader.js');
  const { openForReading } = await import('../dist/logs/store/log-database.js');
  const { DATA_DIR, DATABASE_URL } = await loadSettings(process.env, root);
  const path = join(resolve(root, DATA_DIR), 'logs.db');
  if (!existsSync(path)) {
    throw new SetupError(`${there} is no log at ${path}.`);
  }
  return { path, database: openForReading(path), isShared: DATABASE_URL !== undefined };
}

/** @returns whether every request is decided as before */
async function rerunLogged(range, options) {
  const { rerunLog } = await import('../dist/rerun/rerun-log.js');
  const { RerunReport } = await import('../dist/rerun/rerun-report.js');
  const { path, database, isShared } = await openLog('There');
  console.log(
    `Requests in ${path} since ${new Date(range.fromMs).toISOString()}` +
      (isShared ? ', those of this gateway: the recordings of each are in its own DATA_DIR.\n' : '.\n'),
  );
  const report = new RerunReport();
  const tools = await rerunTools();
  try {
    for await (const run of rerunLog(database, tools, range, options)) {
      console.log(report.add(run).join('\n'));
    }
  } finally {
    database.close();
    await tools.condensedResults.close();
  }
  if (!report.hasRun) {
    throw new SetupError('No recorded request is there to be run: RECORD_UPSTREAM=all has them recorded.');
  }
  console.log(`\n${report.summary().join('\n')}`);
  return report.isSame;
}

async function rerunTools() {
  const { NoUpstream } = await import('../dist/rerun/no-upstream.js');
  const { CondensedResults } = await import('../dist/chat/compression/condensed-results.js');
  const { Tokenizer } = await import('../dist/chat/completion/tokens/tokenizer.js');
  const { Settings } = await import('../dist/common/config/settings.js');
  const { SystemClock } = await import('../dist/common/time/clock.js');
  return {
    settings: new Settings(),
    driver: new NoUpstream(),
    tokenizer: new Tokenizer(),
    condensedResults: new CondensedResults(),
    clock: new SystemClock(),
  };
}

/** @returns whether every run decides as the recorded one */
async function rerunCut(json, chunkings, settings) {
  const { rerun } = await import('../dist/rerun/rerun.js');
  const { differenceLines } = await import('../dist/rerun/rerun-report.js');
  const { parseRecording } = await import('../dist/chat/record/recorded-completion.js');
  const { differences } = await import('../dist/chat/record/decisions.js');
  const recorded = parseRecording(json);
  const tools = await rerunTools();
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
      `${String(chunking).padEnd(9)} ${found.length === 0 ? 'as before' : `${found.length} decided differently`}`,
    );
    differenceLines(found, Infinity).forEach((line) => console.log(line));
  }
  await tools.condensedResults.close();
  return isSame;
}

function readSetting(text) {
  const at = text.indexOf('=');
  if (at < 1) {
    refuse('--set takes NAME=value.');
  }
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  return [name, value === 'true' ? true : value === 'false' ? false : value];
}

function keep(name, json) {
  const folder = join(root, 'test', 'recorded');
  const path = join(folder, `${name}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${JSON.stringify(JSON.parse(json), null, 1)}\n`);
  console.log(`Kept as ${path}; test/rerun/kept.spec.ts runs it from now on.`);
}

function refuse(text) {
  console.error(text);
  process.exit(2);
}
