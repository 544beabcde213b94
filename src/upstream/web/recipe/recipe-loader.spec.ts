import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { InvalidRecipeError } from './invalid-recipe.error.js';
import { loadRecipe, parseRecipe } from './recipe-loader.js';

type Json = Record<string, unknown>;

async function sandbox(): Promise<Json> {
  return JSON.parse(await readFile('recipes/sandbox.json', 'utf8')) as Json;
}

/** @param given as for `parseRecipe`; the sandbox's driver knows where its site is */
function problemsOf(content: unknown, given: readonly string[] = ['site.origin']): readonly string[] {
  try {
    parseRecipe(content, 'test', given);
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
    const recipe = parseRecipe(await sandbox(), 'test', ['site.origin']);
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

  it('takes only selectors that can be looked for all the time where the answer is read off the page', async () => {
    const capture = { mode: 'dom', answer: 'chat-app >>> .answer', busy: 'aria/Stop', exclude: ['a >>> b'] };
    expect(problemsOf({ ...(await sandbox()), capture })).toEqual([
      'capture.exclude[0]: must be CSS',
      'capture.busy: must be CSS, with >>> into shadow roots',
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
      'model[0].selector: {{modle}} has no value here',
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
        capture: { ...observed, transport: 'socketio', answer: { content: [{ path: 'text', when }] } },
      }),
    ).toEqual([
      'capture.answer.done: needs a rule, since the connection outlives the answer',
      'capture.answer.content[0].when[0].sameAs: no rule of capture.answer.bind has the name kind',
    ]);
    expect(problemsOf({ ...recipe, capture: { ...observed, transport: 'polling' } })).toEqual([
      'capture.promptRequest: needed where the answer comes by another request',
    ]);
    const request = { url: '{{site.origin}}/api', method: 'GET' };
    const prompt = { input: '#prompt', method: 'request' };
    expect(problemsOf({ ...recipe, prompt, capture: { ...capture, request } })).toEqual([
      'prompt.method: request needs a body of the page, or a text frame, that carries the prompt',
    ]);
    const conversation = { path: 'id', requestPath: 'id', pageUrl: '{{site.origin}}/c/*' };
    expect(problemsOf({ ...recipe, capture: { ...capture, answer: { ...answer, conversation } } })).toEqual([
      'capture.answer.conversation: needs one of requestPath, responsePath, pageUrl',
    ]);
  });

  it('asks for the origin of a copy of the sandbox recipe', async () => {
    const recipe = await sandbox();
    expect(problemsOf(recipe, [])).toEqual(['origin: needed, since {{site.origin}} is used']);
    expect(problemsOf({ ...recipe, origin: 'https://chat.example' }, [])).toEqual([]);
    expect(problemsOf({ ...recipe, origin: 'http://localhost:8000/' }, [])).toEqual([]);
  });

  it.each(['localhost:8000', 'ftp://chat.example', 'https://*.example.com', 'https://chat.example/app'])(
    'refuses the origin %s',
    async (origin) => {
      expect(problemsOf({ ...(await sandbox()), origin }, [])).toEqual([
        'origin: needs scheme and host alone, e.g. https://chat.example',
      ]);
    },
  );

  it('tries the origins that pages may reach', async () => {
    const recipe = { ...(await sandbox()), origin: 'https://chat.example' };
    const allowedOrigins = [
      '{{site.origin}}',
      'https://*.example.com',
      'api.example',
      'localhost:8000',
      '{{account.server}}',
      'http://10.0.0.8/',
    ];
    const fault = 'needs http or https, a host and no *';
    expect(problemsOf({ ...recipe, allowedOrigins }, [])).toEqual([
      'allowedOrigins[4]: {{account.server}} has no value here',
      `allowedOrigins[1]: ${fault}`,
      `allowedOrigins[2]: ${fault}`,
      `allowedOrigins[3]: ${fault}`,
    ]);
  });

  it('knows which placeholders have a value where', async () => {
    const recipe = await sandbox();
    const step = (name: string): object[] => [{ action: 'fill', selector: '#x', value: `{{${name}}}` }];
    const lists = { model: 'model', send: 'prompt', cleanUp: 'prompt', stop: 'account.user' };
    const steps = Object.fromEntries(Object.entries(lists).map(([key, name]) => [key, step(name)]));
    expect(problemsOf({ ...recipe, ...steps })).toEqual([]);
    expect(
      problemsOf({
        ...recipe,
        login: { success: { selector: '{{model}}' } },
        newChat: { url: '{{site.orgin}}/{{model}}', ready: '#prompt', steps: step('prompt') },
        stop: step('model'),
        capture: { ...(recipe.capture as Json), request: { url: '{{site.origin}}/{{prompt}}' } },
      }),
    ).toEqual([
      'login.success.selector: {{model}} has no value here',
      'newChat.url: {{site.orgin}} has no value here',
      'newChat.url: {{model}} has no value here',
      'newChat.steps[0].value: {{prompt}} has no value here',
      'stop[0].value: {{model}} has no value here',
      'capture.request.url: {{prompt}} has no value here',
    ]);
  });

  it('names what a step waits for, and the path of a state', async () => {
    const recipe = await sandbox();
    const capture = recipe.capture as Json;
    expect(problemsOf({ ...recipe, send: [{ action: 'waitFor', gone: true }] })).toEqual([
      'send[0]: needs selector or url',
    ]);
    const bind = [{ name: 'kind', path: 'id', value: 'a[' }];
    const answer = { ...(capture.answer as Json), bind };
    expect(problemsOf({ ...recipe, capture: { ...capture, answer } })).toEqual([
      'capture.answer.bind[0].value: malformed JSON path',
    ]);
  });

  it('refuses an unknown action', async () => {
    const [problem] = problemsOf({ ...(await sandbox()), send: [{ action: 'eval', code: 'alert(1)' }] });
    expect(problem).toMatch(/^send\[0\]\.action: /);
  });
});

describe('loadRecipe', () => {
  it.each(['chainlit', 'gradio', 'open-webui', 'sillytavern'])('takes the recipe of %s', async (name) => {
    await expect(loadRecipe(`recipes/${name}.json`)).resolves.toMatchObject({ name: expect.any(String) });
  });

  it('names a file that is not there', async () => {
    await expect(loadRecipe('/nowhere.json')).rejects.toThrow('The site recipe /nowhere.json is not valid');
  });
});
