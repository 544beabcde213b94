import { readFile } from 'node:fs/promises';
import { type z } from 'zod';
import { type CaptureRules, isLasting, type NetworkRules } from './capture-rules.js';
import { InvalidRecipeError } from './invalid-recipe.error.js';
import { compileJsonPath } from './json-path.js';
import { fillTemplate, templateNames, type TemplateValues } from './recipe-template.js';
import { isWebAddress } from './recipe-values.js';
import { type SiteRecipe, siteRecipe } from './site-recipe.js';

/** Reads and checks a recipe file. @param given as below. Throws InvalidRecipeError. */
export async function loadRecipe(file: string, given: readonly string[] = []): Promise<SiteRecipe> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new InvalidRecipeError(file, [error instanceof Error ? error.message : String(error)]);
  }
  return parseRecipe(content, file, given);
}

/**
 * Checks a parsed recipe and fills in defaults.
 * @param source its name in messages
 * @param given placeholders for which the driver has values of its own; none by default
 * @throws InvalidRecipeError
 */
export function parseRecipe(content: unknown, source: string, given: readonly string[] = []): SiteRecipe {
  const result = siteRecipe.safeParse(content);
  if (!result.success) {
    throw new InvalidRecipeError(source, result.error.issues.flatMap(describeIssue));
  }
  const problems = [
    ...placeholderProblems(result.data, given),
    ...originProblems(result.data),
    ...pathProblems(result.data),
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
/** The other meaning of a key that also names the value of a step. */
const STATE_PATH = /^capture\.answer\.bind\[\d+\]\.value$/;

/** Parts of a recipe whose steps belong to a conversation, which has a prompt and a model. */
const CONVERSATION_PARTS = new Set(['model', 'thinking', 'send', 'cleanUp']);

/** A text of a recipe, the key that it stands under, and the path to it. */
interface Place {
  readonly path: string;
  readonly key: string;
  readonly text: string;
}

function textsOf(value: unknown, at = ''): Place[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, child]) => {
    const path = Array.isArray(value) ? `${at}[${key}]` : formatPath(at === '' ? [key] : [at, key]);
    return typeof child === 'string' ? [{ path, key, text: child }] : textsOf(child, path);
  });
}

function pathProblems(recipe: SiteRecipe): string[] {
  return textsOf(recipe)
    .filter(({ path, key }) => JSON_PATH_KEYS.has(key) || STATE_PATH.test(path))
    .filter(({ text }) => !isJsonPath(text))
    .map(({ path }) => `${path}: malformed JSON path`);
}

/** Placeholders without a value where they stand. */
function placeholderProblems(recipe: SiteRecipe, given: readonly string[]): string[] {
  const known = new Set([...given, ...(recipe.origin === undefined ? [] : ['site.origin'])]);
  const hasValue = (name: string, part: string): boolean =>
    known.has(name) ||
    (part !== 'allowedOrigins' && name.startsWith('account.')) ||
    (CONVERSATION_PARTS.has(part) && (name === 'model' || name === 'prompt'));
  const problems = textsOf(recipe).flatMap(({ path, text }) => {
    const [part = ''] = path.split(/[.[]/, 1);
    return templateNames(text)
      .filter((name) => !hasValue(name, part))
      .map((name) =>
        name === 'site.origin'
          ? 'origin: needed, since {{site.origin}} is used'
          : `${path}: {{${name}}} has no value here`,
      );
  });
  return [...new Set(problems)];
}

/** Origins that are none. Those with values of the driver's are not known here. */
function originProblems({ allowedOrigins, origin }: SiteRecipe): string[] {
  const values: TemplateValues = origin === undefined ? {} : { 'site.origin': new URL(origin).origin };
  return allowedOrigins.flatMap((entry, index) => {
    const isKnown = templateNames(entry).every((name) => Object.hasOwn(values, name));
    return isKnown && !isWebAddress(fillTemplate(entry, values))
      ? [`allowedOrigins[${index}]: needs http or https, a host and no *`]
      : [];
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
  if (prompt.method === 'request' && !leavesInText(capture)) {
    problems.push(
      'prompt.method: request needs a body of the page, or a text frame, that carries the prompt',
    );
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

function leavesInText(capture: CaptureRules): boolean {
  if (capture.mode === 'dom') {
    return false;
  }
  const { promptRequest, request } = capture;
  return promptRequest ? promptRequest.method !== 'GET' : hasSockets(capture) || request.method !== 'GET';
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
