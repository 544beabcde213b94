import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { InvalidRecipeError } from './invalid-recipe.error.js';
import { loadRecipe, parseRecipe } from './recipe-loader.js';

type Json = Record<string, unknown>;

async function sandbox(): Promise<Json> {
  return JSON.parse(await readFile('recipes/sandbox.json', 'utf8')) as Json;
}

function problemsOf(content: unknown): readonly string[] {
  try {
    parseRecipe(content, 'test');
    return [];
  } catch (error) {
    if (error instanceof InvalidRecipeError) {
      return error.problems;
    }
    throw error;
  }
}

describe('parseRecipe', () => {
  it('fills in defaults', async () => {
    const recipe = parseRecipe(await sandbox(), 'test');
    expect(recipe.login.timeoutMs).toBe(20_000);
    expect(recipe.send).toEqual([
      { action: 'click', selector: '#send', hidden: false, optional: false, timeoutMs: 10_000 },
    ]);
    expect(recipe.signs.overloaded.page).toEqual([]);
  });

  it('requires the authorisation', async () => {
    expect(problemsOf({ ...(await sandbox()), authorised: undefined })).toEqual([
      'authorised: Invalid input: expected object, received undefined',
    ]);
  });

  it('needs a sign of the login wall where there is a login', async () => {
    const recipe = await sandbox();
    const signs = { ...(recipe.signs as Json), loginWall: { response: [{ status: 401 }] } };
    expect(problemsOf({ ...recipe, signs })).toEqual([
      'signs.loginWall.page: needs a sign, since login.steps are done when it shows',
    ]);
    expect(problemsOf({ ...recipe, signs, login: { success: { selector: '#prompt' } } })).toEqual([]);
  });

  it('names every unknown key by its path', async () => {
    const recipe = await sandbox();
    const capture = recipe.capture as Json;
    const content = [{ path: 'text', paht: 'x' }];
    expect(
      problemsOf({
        ...recipe,
        colour: 'red',
        send: [{ action: 'click', selector: '#send', wait: 1 }],
        capture: { ...capture, answer: { ...(capture.answer as Json), content } },
      }),
    ).toEqual([
      'send[0].wait: unknown key',
      'capture.answer.content[0].paht: unknown key',
      'colour: unknown key',
    ]);
  });

  it('refuses malformed paths, rules without a condition and places without a value', async () => {
    const recipe = await sandbox();
    const capture = recipe.capture as Json;
    expect(problemsOf({ ...recipe, signs: { tooLong: { response: [{}], page: [{}] } } })).toEqual([
      'signs.tooLong.response[0]: needs a condition',
      'signs.tooLong.page[0]: needs either selector or url',
    ]);
    expect(
      problemsOf({
        ...recipe,
        model: [{ action: 'click', selector: 'text/{{modle}}' }],
        capture: { ...capture, answer: { content: [{ path: 'a[' }] } },
      }),
    ).toEqual([
      'model[0].selector: there is no value {{modle}}',
      'capture.answer.content[0].path: malformed JSON path',
    ]);
  });

  it('names what the parts of a capture ask of each other', async () => {
    const recipe = await sandbox();
    const capture = recipe.capture as Json;
    const answer = capture.answer as Json;
    const observed = { ...capture, mode: 'observe' };
    const when = [{ path: 'id', sameAs: 'kind' }];
    expect(
      problemsOf({
        ...recipe,
        prompt: { input: '#prompt', method: 'request' },
        capture: { ...observed, transport: 'socketio', answer: { content: [{ path: 'text', when }] } },
      }),
    ).toEqual([
      'prompt.method: request needs a request of the page that carries the prompt',
      'capture.answer.done: needs a rule, since the connection outlives the answer',
      'capture.answer.content[0].when[0].sameAs: no rule of capture.answer.bind has the name kind',
    ]);
    expect(problemsOf({ ...recipe, capture: { ...observed, transport: 'polling' } })).toEqual([
      'capture.promptRequest: needed where the answer comes by another request',
    ]);
    const conversation = { path: 'id', requestPath: 'id', pageUrl: '{{site.origin}}/c/*' };
    expect(problemsOf({ ...recipe, capture: { ...capture, answer: { ...answer, conversation } } })).toEqual([
      'capture.answer.conversation: needs one of requestPath, responsePath, pageUrl',
    ]);
  });

  it('refuses an unknown action', async () => {
    const [problem] = problemsOf({ ...(await sandbox()), send: [{ action: 'eval', code: 'alert(1)' }] });
    expect(problem).toMatch(/^send\[0\]\.action: /);
  });
});

describe('loadRecipe', () => {
  it('names a file that is not there', async () => {
    await expect(loadRecipe('/nowhere.json')).rejects.toThrow('The site recipe /nowhere.json is not valid');
  });
});
