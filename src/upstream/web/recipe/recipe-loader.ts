import { readFile } from 'node:fs/promises';
import { type z } from 'zod';
import { isLasting, type NetworkRules } from './capture-rules.js';
import { InvalidRecipeError } from './invalid-recipe.error.js';
import { compileJsonPath } from './json-path.js';
import { templateNames } from './recipe-template.js';
import { type SiteRecipe, siteRecipe } from './site-recipe.js';

/** Reads and checks a recipe file. Throws InvalidRecipeError. */
export async function loadRecipe(file: string): Promise<SiteRecipe> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new InvalidRecipeError(file, [error instanceof Error ? error.message : String(error)]);
  }
  return parseRecipe(content, file);
}

/** Checks a parsed recipe and fills in defaults. `source` names it in messages. Throws InvalidRecipeError. */
export function parseRecipe(content: unknown, source: string): SiteRecipe {
  const result = siteRecipe.safeParse(content);
  if (!result.success) {
    throw new InvalidRecipeError(source, result.error.issues.flatMap(describeIssue));
  }
  const problems = [
    ...textProblems(result.data, ''),
    ...loginProblems(result.data),
    ...captureProblems(result.data),
  ];
  if (problems.length > 0) {
    throw new InvalidRecipeError(source, problems);
  }
  return result.data;
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${formatPath([...issue.path, key])}: unknown key`);
  }
  return [`${formatPath(issue.path)}: ${issue.message}`];
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') {
      return `${text}[${key}]`;
    }
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}

const JSON_PATH_KEYS = new Set([
  'path',
  'requestPath',
  'responsePath',
  'each',
  'sequence',
  'promptTokens',
  'completionTokens',
  'reasoningTokens',
  'cachedTokens',
]);
const TEMPLATE_NAME = /^(?:(?:site|account)\.[\w.-]+|model|prompt)$/;

/** Problems beyond the schema: malformed JSON paths, and placeholders without a value. */
function textProblems(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, child]) => {
    const path = Array.isArray(value) ? `${at}[${key}]` : formatPath(at === '' ? [key] : [at, key]);
    if (typeof child !== 'string') {
      return textProblems(child, path);
    }
    if (JSON_PATH_KEYS.has(key) && !isJsonPath(child)) {
      return [`${path}: malformed JSON path`];
    }
    return templateNames(child)
      .filter((name) => !TEMPLATE_NAME.test(name))
      .map((name) => `${path}: there is no value {{${name}}}`);
  });
}

/** Login steps that wait for the login wall need a sign of one. */
function loginProblems({ login, signs }: SiteRecipe): string[] {
  return login.when === 'wall' && login.steps.length > 0 && signs.loginWall.page.length === 0
    ? ['signs.loginWall.page: needs a sign, since login.steps are done when it shows']
    : [];
}

/** Rules across the parts of a recipe. */
function captureProblems({ capture, prompt }: SiteRecipe): string[] {
  const problems: string[] = [];
  const leavesByRequest =
    capture.mode !== 'dom' && (!hasSockets(capture) || capture.promptRequest !== undefined);
  if (prompt.method === 'request' && !leavesByRequest) {
    problems.push('prompt.method: request needs a request of the page that carries the prompt');
  }
  if (capture.mode === 'dom') {
    return problems;
  }
  // A socket's recipe may still be a draft: `recipe:record` cannot always tell the last frame.
  if (isLasting(capture) && !isSocket(capture) && capture.answer.done.length === 0) {
    problems.push('capture.answer.done: needs a rule, since the connection outlives the answer');
  }
  const { conversation, bind } = capture.answer;
  const needsPromptRequest =
    (capture.mode === 'observe' && capture.transport === 'polling') ||
    conversation?.responsePath !== undefined;
  if (needsPromptRequest && !capture.promptRequest) {
    problems.push('capture.promptRequest: needed where the answer comes by another request');
  }
  const names = new Set(bind.map(({ name }) => name));
  return [...problems, ...recallProblems(capture.answer, names, 'capture.answer')];
}

/** Conditions that refer to a name that no rule binds. */
function recallProblems(value: unknown, names: ReadonlySet<string>, at: string): string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, child]) => {
    const path = Array.isArray(value) ? `${at}[${key}]` : `${at}.${key}`;
    return key === 'sameAs' && typeof child === 'string' && !names.has(child)
      ? [`${path}: no rule of capture.answer.bind has the name ${child}`]
      : recallProblems(child, names, path);
  });
}

function isSocket(capture: NetworkRules): boolean {
  return capture.mode === 'observe' && capture.transport === 'websocket';
}

function hasSockets(capture: NetworkRules): boolean {
  return isSocket(capture) || (capture.mode === 'observe' && capture.transport === 'socketio');
}

function isJsonPath(path: string): boolean {
  try {
    compileJsonPath(path);
    return true;
  } catch {
    return false;
  }
}
