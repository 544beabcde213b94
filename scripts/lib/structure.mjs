import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

/** Folders that hold code, and what of them is data. */
const ROOMS = ['src', 'client', 'tools', 'test', 'scripts'];
const DATA = /^test\/(compression\/recorded|echo\/results)\//;
const CODE = /\.(ts|mjs|js|css|html)$/;
const SPEC = /spec\.(ts|mjs)$/;

/**
 * Structure of the code in figures.
 * @param {string} root a checkout of the project
 * @returns {{
 *   folders: [folder: string, files: number][],
 *   siblingCycles: [string, string][],
 *   doubleExports: [name: string, files: string[]][],
 *   lines: number,
 *   files: number,
 *   functions: [lines: number, place: string][],
 * }} `folders` counts specs, too; the rest is about `src` without specs, but for cycles: those also of `client` and
 *   `tools`. Lists begin with the largest.
 */
export function measureStructure(root) {
  const paths = ROOMS.flatMap((room) => filesBelow(root, room)).filter((path) => !DATA.test(path));
  const code = paths.filter((path) => /^(src|client|tools)\//.test(path) && /\.(ts|js)$/.test(path));
  const parsed = code
    .filter((path) => !SPEC.test(path))
    .map((path) => ({ path, ...parse(path, readFileSync(join(root, path), 'utf8')) }));
  const src = parsed.filter(({ path }) => path.startsWith('src/'));
  return {
    folders: countByFolder(paths),
    siblingCycles: siblingCycles(parsed),
    doubleExports: doubleExports(src),
    lines: src.reduce((sum, { lines }) => sum + lines, 0),
    files: src.length,
    functions: src.flatMap(({ functions }) => functions).sort(([a], [b]) => b - a),
  };
}

function filesBelow(root, room) {
  try {
    return readdirSync(join(root, room), { recursive: true })
      .map((name) => posix.join(room, name.replaceAll('\\', '/')))
      .filter((path) => CODE.test(path));
  } catch (error) {
    // An older checkout may not have the folder.
    if (error.code === 'ENOENT') {
      return [];
    }
    throw error;
  }
}

function countByFolder(paths) {
  const counts = new Map();
  for (const path of paths) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

function parse(path, text) {
  const syntax = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position) => syntax.getLineAndCharacterOfPosition(position).line + 1;
  const functions = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const first = lineOf(node.getStart());
      const lines = lineOf(node.getEnd()) - first + 1;
      functions.push([lines, `${path}:${first} ${node.name?.getText() ?? '(anonymous)'}`]);
    }
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return {
    lines: lineOf(text.length) - 1,
    functions,
    exports: syntax.statements.filter(isExported).flatMap(namesOf),
    imports: ts
      .preProcessFile(text, true, true)
      .importedFiles.map(({ fileName }) => fileName)
      .filter((name) => name.startsWith('.'))
      .map((name) => posix.join(posix.dirname(path), name)),
  };
}

function isExported(statement) {
  return statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function namesOf(statement) {
  return ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.map(({ name }) => name.getText())
    : [statement.name?.getText() ?? 'default'];
}

/** Pairs of folders with the same parent that import each other. */
function siblingCycles(files) {
  const arrows = new Set();
  for (const { path, imports } of files) {
    for (const target of imports) {
      const [from, to] = partingFolders(path, target);
      if (from && to) {
        arrows.add(`${from} ${to}`);
      }
    }
  }
  return [...arrows]
    .map((arrow) => arrow.split(' '))
    .filter(([from, to]) => from < to && arrows.has(`${to} ${from}`));
}

/** The two sibling folders in which two paths part; nothing where one of them lies in the folder itself. */
function partingFolders(path, target) {
  const [one, other] = [path.split('/'), target.split('/')];
  let depth = 0;
  while (one[depth] === other[depth]) {
    depth++;
  }
  return [one, other].map((parts) => (parts.length > depth + 1 ? parts.slice(0, depth + 1).join('/') : ''));
}

function doubleExports(files) {
  const homes = new Map();
  for (const { path, exports } of files) {
    for (const name of new Set(exports)) {
      homes.set(name, [...(homes.get(name) ?? []), path]);
    }
  }
  return [...homes].filter(([, paths]) => paths.length > 1);
}
