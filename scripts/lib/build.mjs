import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, SetupError } from './processes.mjs';

const BUILD_LIMIT_MS = 5 * 60_000;
/** What can be built: the compiler's project file, the folders it reads, the folder it writes. */
export const BUILDS = {
  gateway: { project: 'tsconfig.build.json', sources: ['src'], output: 'dist' },
  recipeTools: { project: 'tools/recipe/tsconfig.json', sources: ['src', 'tools'], output: 'dist-tools' },
};

/** Compiles one of `BUILDS`, unless its output was made from the sources as they are. */
export async function build({ project, sources, output } = BUILDS.gateway) {
  const stamp = join(root, output, '.stamp');
  const wanted = fingerprint(root, { project, sources });
  if (read(stamp) === wanted) {
    return;
  }
  console.error('Building …');
  // A fresh folder: nothing that was removed from the sources stays.
  rmSync(join(root, output), { recursive: true, force: true });
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { ok, output: messages } = await run(process.execPath, [compiler, '-p', project], {
    limitMs: BUILD_LIMIT_MS,
  });
  if (!ok) {
    throw new SetupError(`The build failed.\n${messages}`);
  }
  writeFileSync(stamp, wanted);
}

/** What the build depends on, by content: times of files say little after a checkout. */
export function fingerprint(folder, { project, sources } = BUILDS.gateway) {
  const files = sources.flatMap((source) =>
    readdirSync(join(folder, source), { recursive: true })
      .filter((name) => name.endsWith('.ts') && !/spec\.ts$/.test(name))
      .map((name) => join(source, name)),
  );
  const hash = createHash('sha256');
  for (const name of ['tsconfig.json', project, 'package-lock.json', ...files.sort()]) {
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
