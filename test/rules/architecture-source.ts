import { posix } from 'node:path';
import ts from 'typescript';

/** One source file and what the rules want to know of it. */
export interface ParsedFile {
  /** From the project's folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly isSpec: boolean;
  readonly imports: readonly FileImport[];
  readonly syntax: ts.SourceFile;
}

export interface FileImport {
  readonly specifier: string;
  /** Path of the imported file, for relative imports. */
  readonly target?: string;
}

export function parseFile(path: string, text: string): ParsedFile {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return {
    path,
    text,
    isSpec: /\.(spec|e2e-spec)\.ts$/.test(path),
    imports: importedFiles.map(({ fileName }) => ({
      specifier: fileName,
      ...(fileName.startsWith('.')
        ? { target: posix.join(posix.dirname(path), fileName).replace(/\.js$/, '.ts') }
        : {}),
    })),
    syntax: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  };
}

/** The kinds of expression that the rules look for, found in code only, never in comments or texts. */
export type Finding =
  'process.env' | 'forwardRef' | 'Date.now' | 'new Date' | 'Math.random' | 'performance.now' | 'timer';

const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate']);

/** Findings in a file, with their lines. */
export function findings({ syntax }: ParsedFile): { readonly what: Finding; readonly line: number }[] {
  const found: { what: Finding; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    const what = classify(node);
    if (what) {
      found.push({ what, line: syntax.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return found;
}

function classify(node: ts.Node): Finding | undefined {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    return memberAccess(node);
  }
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
    const names = node.name.elements.map(({ name, propertyName = name }) => propertyName.getText());
    return node.initializer?.getText() === 'process' && names.includes('env') ? 'process.env' : undefined;
  }
  if (ts.isNewExpression(node)) {
    return node.expression.getText() === 'Date' && !node.arguments?.length ? 'new Date' : undefined;
  }
  if (ts.isIdentifier(node)) {
    return node.text === 'forwardRef' ? 'forwardRef' : importedOrCalled(node);
  }
  return undefined;
}

function memberAccess(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): Finding | undefined {
  const member = ts.isPropertyAccessExpression(node)
    ? node.name.text
    : node.argumentExpression.getText().replace(/^['"`]|['"`]$/g, '');
  // `globalThis.process.env` is the same thing.
  const name = `${node.expression.getText().replace(/^(globalThis|global)\./, '')}.${member}`;
  return MEMBERS.find((known) => known === name);
}

const MEMBERS = ['process.env', 'Date.now', 'Math.random', 'performance.now'] as const;

/** `setTimeout(…)`, but not `response.setTimeout(…)`; and `env` out of `node:process`. */
function importedOrCalled(node: ts.Identifier): Finding | undefined {
  const { parent } = node;
  if (TIMERS.has(node.text) && ts.isCallExpression(parent) && parent.expression === node) {
    return 'timer';
  }
  const isImportOfProcess =
    ts.isImportSpecifier(parent) &&
    /^['"](node:)?process['"]$/.test(parent.parent.parent.parent.moduleSpecifier.getText());
  return isImportOfProcess && (parent.propertyName ?? parent.name) === node && node.text === 'env'
    ? 'process.env'
    : undefined;
}
