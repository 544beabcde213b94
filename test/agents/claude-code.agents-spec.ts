import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, answerEvents, failed, rateLimited, resets } from '../support/upstream/openai-stub-plans.js';
import { type ScriptedCall, ScriptedModel } from '../support/upstream/scripted-model.js';
import { installPackage } from '../thirdparty/npm-package.js';
import { ClaudeCode } from './claude-code.js';

const VERSION = '2.1.332';
const INSTALL_LIMIT_MS = 12 * 60_000;
/** Begins its request for a summary. */
const SUMMARY_MARKER = 'Respond with TEXT ONLY';
const LAST_WORDS = 'All of it is done, as the files show.';
const CONTENT = 'Hi <b>there</b> & "you"\n\tC:\\new\n';

/** Lines of a listing, long enough to be guarded. */
const LISTING = Array.from(
  { length: 40 },
  (_, index) => `item ${index}: ${index * 7919} pieces on the shelf`,
);

describe(`Claude Code ${VERSION}`, () => {
  let packageFolder: string;
  let gateway: StubGateway;
  let agent: ClaudeCode;

  beforeAll(async () => {
    packageFolder = await installPackage('@anthropic-ai/claude-code', VERSION);
  }, INSTALL_LIMIT_MS);

  const inProject = (name: string): string => join(agent.folder.project, name);
  const write = (name: string, content: string): ScriptedCall => ({
    name: 'Write',
    input: { file_path: inProject(name), content },
  });
  const read = (name: string): ScriptedCall => ({ name: 'Read', input: { file_path: inProject(name) } });
  const edit = (name: string, old_string: string, new_string: string): ScriptedCall => ({
    name: 'Edit',
    input: { file_path: inProject(name), old_string, new_string },
  });
  /** Each run of it leaves a mark. */
  const shell = (command = 'true'): ScriptedCall => ({
    name: 'Bash',
    input: { command: `${command}; echo run >> runs.txt`, description: 'Does a step' },
  });

  const list = (): ScriptedCall => shell(`printf '%s\\n' ${LISTING.map((line) => `'${line}'`).join(' ')}`);

  /** Runs a task of these calls, of which the second is disturbed; returns what the user saw. */
  async function runTask(isNative: boolean, calls: readonly ScriptedCall[], ...disturbances: StubPlan[]) {
    const model = new ScriptedModel(isNative, calls, LAST_WORDS, SUMMARY_MARKER);
    model.disturb(...disturbances);
    model.serve(gateway.stub);
    return agent.run('Do the steps.');
  }

  describe.each(['native', 'emulated'] as const)('with %s calls', (mode) => {
    const isNative = mode === 'native';

    beforeEach(async () => {
      gateway = await StubGateway.start({ TOOL_MODE: mode, API_KEY: 'key-1', RETRY_MAX_ATTEMPTS: 1 });
      agent = await ClaudeCode.create(packageFolder, gateway.origin);
    });

    afterEach(async () => {
      await agent?.folder.remove();
      await gateway?.close();
    });

    it('creates a file and reads it back', async () => {
      const run = await runTask(isNative, [write('notes.html', CONTENT), read('notes.html')]);
      expect(run).toEqual({ exitCode: 0, shown: `${LAST_WORDS}\n` });
      expect(await agent.folder.contentOf('notes.html')).toBe(CONTENT);
      expect(gateway.stub.requests).toHaveLength(3);
    });

    it('works nine steps off, each once', async () => {
      const run = await runTask(isNative, [
        write('a.txt', CONTENT),
        shell(),
        read('a.txt'),
        edit('a.txt', 'there', 'here'),
        shell(),
        write('deep/b.md', '# One\n'),
        read('deep/b.md'),
        edit('deep/b.md', '# One', '# Two'),
        shell(),
      ]);
      expect(run).toEqual({ exitCode: 0, shown: `${LAST_WORDS}\n` });
      expect(await agent.folder.contentOf('a.txt')).toBe(CONTENT.replace('there', 'here'));
      expect(await agent.folder.contentOf('deep/b.md')).toBe('# Two\n');
      expect(await agent.folder.contentOf('runs.txt')).toBe('run\n'.repeat(3));
      expect((await readdir(agent.folder.project)).toSorted()).toEqual(['a.txt', 'deep', 'runs.txt']);
    });

    it('takes a model by the gateway’s own name', async () => {
      new ScriptedModel(isNative, [], LAST_WORDS).serve(gateway.stub);
      const { exitCode, shown } = await agent.run('Say it.', {
        ANTHROPIC_MODEL: 'svc-plus',
        CLAUDE_CODE_MAX_CONTEXT_TOKENS: '1000000',
      });
      expect([exitCode, shown]).toEqual([0, expect.stringMatching(`^${LAST_WORDS}\n`)]);
      expect(gateway.entries.map(({ model, outcome }) => [model, outcome])).toEqual([['svc-plus', 'ok']]);
    });

    it('compacts its history when the prompt is too long, and goes on', async () => {
      const tooLong = failed(400, { message: 'too long', code: 'context_length_exceeded' });
      const run = await runTask(isNative, [write('notes.html', CONTENT), read('notes.html')], tooLong);
      expect(run).toEqual({ exitCode: 0, shown: `${LAST_WORDS}\n` });
      expect(await agent.folder.contentOf('notes.html')).toBe(CONTENT);
      const prompts = gateway.stub.requests.map(({ body }) => JSON.stringify(body.messages?.at(-1)));
      expect(prompts.filter((prompt) => prompt.includes(SUMMARY_MARKER))).toHaveLength(1);
    });

    it('shows the user a rate limit that does not end', async () => {
      gateway.stub.answerWith(rateLimited({ retryAfter: '1' }));
      const { exitCode, shown } = await agent.run('Say hi.', { CLAUDE_CODE_MAX_RETRIES: '1' });
      expect(exitCode).toBe(1);
      expect(shown).toMatch(
        /^API Error: Request rejected \(429\) · The upstream limits .* Please try again in \d+ ?s\.\n$/,
      );
    });

    it.each<[string, StubPlan]>([
      ['a rate limit', rateLimited({ retryAfter: '1' })],
      ['a stream that is cut at once', resets(3)],
      ['a stream that is cut after many words', resets(150)],
      ['a stream that is cut in a call', cutInCall(isNative)],
    ])('finishes its task after %s, each step once', async (_what, disturbance) => {
      const run = await runTask(isNative, [list(), write('notes.html', CONTENT), shell()], disturbance);
      expect(run).toEqual({ exitCode: 0, shown: `${LAST_WORDS}\n` });
      expect(await agent.folder.contentOf('notes.html')).toBe(CONTENT);
      expect(await agent.folder.contentOf('runs.txt')).toBe('run\n'.repeat(2));
    });

    it.each([
      ['dropped', 'auto'],
      ['regenerated', 'regenerate'],
    ] as const)('sees nothing of a repeated result that is %s (ECHO_ACTION %s)', async (action, setting) => {
      gateway.settings.ECHO_ACTION = setting;
      const run = await runTask(
        isNative,
        [list(), shell()],
        answer({ pieces: [`Here it is:\n${LISTING.join('\n')}\n`] }),
      );
      expect(run).toEqual({ exitCode: 0, shown: `${LAST_WORDS}\n` });
      const corrections = gateway.entries.flatMap((entry) => entry.corrections ?? []);
      expect(corrections).toMatchObject([{ cause: 'echo', action }]);
      expect(await agent.folder.contentOf('runs.txt')).toBe('run\n'.repeat(2));
    });
  });
});

describe(`Claude Code ${VERSION} through the browser`, () => {
  let gateway: TestGateway;
  let agent: ClaudeCode;

  beforeAll(async () => {
    const packageFolder = await installPackage('@anthropic-ai/claude-code', VERSION);
    gateway = await startGateway();
    agent = await ClaudeCode.create(packageFolder, gateway.origin);
  }, INSTALL_LIMIT_MS);

  afterAll(async () => {
    await agent?.folder.remove();
    await gateway?.close();
  });

  const inProject = (name: string): string => join(agent.folder.project, name);

  /** Has the site call these tools one after the other, and holds what was called against it. */
  async function runTask(calls: readonly ScriptedCall[]): Promise<void> {
    const before = gateway.entries.all.length;
    const markers = calls.map(({ name, input }) => `[[call:${name}:${JSON.stringify(input)}]]`);
    const names = calls.map(({ name }) => name);
    const { exitCode, shown } = await agent.run(markers.join(' '));
    expect([exitCode, shown]).toEqual([
      0,
      expect.stringContaining(`it has called ${[...new Set(names)].join(', ')}.`),
    ]);
    const called = gateway.entries.all
      .slice(before)
      .flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name));
    expect(called).toEqual(names);
  }

  it('creates a file and reads it back, once each', async () => {
    const file_path = inProject('notes.html');
    await runTask([
      { name: 'Write', input: { file_path, content: CONTENT } },
      { name: 'Read', input: { file_path } },
    ]);
    expect(await agent.folder.contentOf('notes.html')).toBe(CONTENT);
  });

  it('works nine steps off, each once', async () => {
    const command = 'echo run >> runs.txt';
    const shell: ScriptedCall = { name: 'Bash', input: { command, description: 'Does a step' } };
    const steps = ['a.txt', 'b.txt', 'c.txt'].flatMap((name): ScriptedCall[] => {
      const file_path = inProject(name);
      return [
        { name: 'Write', input: { file_path, content: CONTENT } },
        shell,
        { name: 'Edit', input: { file_path, old_string: 'there', new_string: name } },
      ];
    });
    await runTask(steps);
    for (const name of ['a.txt', 'b.txt', 'c.txt']) {
      expect(await agent.folder.contentOf(name)).toBe(CONTENT.replace('there', name));
    }
    expect(await agent.folder.contentOf('runs.txt')).toBe('run\n'.repeat(3));
  });
});

/** The beginning of a call that would leave a mark, then nothing more. */
function cutInCall(isNative: boolean): StubPlan {
  const command = 'echo run >> runs.txt && echo';
  const begun = isNative
    ? answerEvents({
        pieces: [],
        toolCalls: [{ id: 'call_cut', name: 'Bash', arguments: ['{"command":"', command] }],
        finishReason: null,
      })
    : answerEvents({
        pieces: ['<tool_call>\n<function=Bash>\n', `<parameter=command>${command}`],
        finishReason: null,
      });
  return async (reply) => {
    for (const event of begun) {
      await reply.event(event);
    }
    await reply.wait(50);
    reply.reset();
  };
}
