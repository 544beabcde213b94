import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, SetupError } from './processes.mjs';

const BUILD_LIMIT_MS = 5 * 60_000;
const CONFIGURATION = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/** Compiles `src` to `dist`, unless `dist` was made from what is there. */
export async function build() {
  const stamp = join(root, 'dist', '.stamp');
  const wanted = fingerprint(root);
  if (read(stamp) === wanted && existsSync(join(root, 'dist', 'main.js'))) {
    return;
  }
  console.error('Building …');
  // Without its own record the compiler writes every file again, and nothing that was removed from `src` stays.
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { ok, output } = await run(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    limitMs: BUILD_LIMIT_MS,
  });
  if (!ok) {
    throw new SetupError(`The build failed.\n${output}`);
  }
  writeFileSync(stamp, wanted);
}

/** What the build depends on, by content: times of files say little after a checkout. */
export function fingerprint(folder) {
  const sources = readdirSync(join(folder, 'src'), { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => join('src', name));
  const hash = createHash('sha256');
  for (const name of [...CONFIGURATION, ...sources.sort()]) {
    // The lengths keep the end of one file apart from the beginning of the next.
    const content = readFileSync(join(folder, name));
    hash.update(`${name}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
