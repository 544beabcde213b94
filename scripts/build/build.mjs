import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, SetupError } from '../lib/processes.mjs';
import { announced } from '../lib/progress.mjs';

/** The command line of Nest: `nest`. */
export const NEST = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');

/** What the dashboard's client is built from. */
const CLIENT = { project: 'tsconfig.build.json', sources: ['client/dashboard', 'scripts/build'] };

const BUILD_LIMIT_MS = 5 * 60_000;

const WRITTEN = /(?<!spec)\.(ts|m?js|css|html)$/;

/**
 * The builds: the compiler's project file, the folders they read, the folder they write, and whether that is a gateway, to
 * which the dashboard's client belongs, and whose entries are bundled.
 */
export const BUILDS = {
  gateway: {
    project: 'tsconfig.build.json',
    sources: ['src', 'client/dashboard', 'scripts/build'],
    output: 'dist',
    isGateway: true,
  },
  development: { project: 'tsconfig.build.json', sources: ['src'], output: 'dist' },
  recipeTools: { project: 'tools/recipe/tsconfig.json', sources: ['src', 'tools'], output: 'dist-tools' },
};

/** Makes one of `BUILDS`, with `nest build`, unless its output was made from the sources as they are. */
export async function build({ project, sources, output, isGateway = false } = BUILDS.gateway) {
  const stamp = join(root, output, '.stamp');
  const wanted = fingerprint(root, { project, sources });
  if (read(stamp) === wanted) {
    return;
  }
  // It empties the folder first (`deleteOutDir`), so the stamp of an earlier build goes as well.
  const { ok, output: messages } = await announced('Building', () =>
    run(process.execPath, [NEST, 'build', '--path', project], { limitMs: BUILD_LIMIT_MS }),
  );
  if (!ok) {
    throw new SetupError(`The build failed.\n${messages}`);
  }
  if (isGateway) {
    await announced('Bundling', () => finishGateway(join(root, output)));
  }
  writeFileSync(stamp, wanted);
}

/**
 * Builds the dashboard's client alone, unless it was built from the sources as they are.
 * @param {string} folder for it and for those of other sources, which stay
 * @returns {Promise<string>} its folder
 */
export async function buildClientAlone(folder) {
  const output = join(folder, fingerprint(root, CLIENT).slice(0, 16));
  if (!existsSync(output)) {
    const { buildClient } = await import('./build-client.mjs');
    // Whole or not at all: others may build, or test with it, at the same time.
    const unfinished = `${output}.${process.pid}`;
    try {
      await announced('Bundling the dashboard', () => buildClient(unfinished));
      renameSync(unfinished, output);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(output)) {
        throw error;
      }
    }
  }
  return output;
}

async function finishGateway(output) {
  // Their packages may have been installed by this very process.
  const [{ buildClient }, { bundleEntries }] = await Promise.all([
    import('./build-client.mjs'),
    import('./bundle-entries.mjs'),
  ]);
  await buildClient(join(output, 'client'));
  await bundleEntries(output);
}

/** A hash of all that the build depends on, by content: times of files say little after a checkout. */
export function fingerprint(folder, { project, sources } = BUILDS.gateway) {
  const files = sources.flatMap((source) =>
    readdirSync(join(folder, source), { recursive: true })
      .filter((name) => WRITTEN.test(name))
      .map((name) => join(source, name)),
  );
  const hash = createHash('sha256');
  for (const name of ['tsconfig.json', project, 'nest-cli.json', 'package-lock.json', ...files.sort()]) {
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
