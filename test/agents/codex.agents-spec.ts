import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Settings } from '../../src/common/config/settings.js';
import { SUMMARY_REQUEST } from '../../src/responses/dto/compaction.js';
import { startGateway } from '../support/gateway/gateway.js';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, answerEvents, rateLimited, resets } from '../support/upstream/openai-stub-plans.js';
import { installPackage } from '../thirdparty/npm-package.js';
import { Codex } from './codex.js';

const VERSION = '0.171.0';
const INSTALL_LIMIT_MS = 12 * 60_000;
const MARKUP = /<\/?(?:tool_call|tool_response|function|parameter)\b/;

describe.each<NonNullable<Settings['TOOL_MODE']>>(['native', 'emulated'])(
  `Codex ${VERSION} over an upstream with %s tools`,
  (mode) => {
    let packageFolder: string;
    let gateway: StubGateway;
    let agent: Codex;
    let callCount = 0;

    beforeAll(async () => {
      packageFolder = await installPackage('@openai/codex', VERSION);
      gateway = await StubGateway.start({ TOOL_MODE: mode, LOG_CONTENT: 'full', RETRY_MAX_ATTEMPTS: 1 });
    }, INSTALL_LIMIT_MS);

    afterAll(() => gateway?.close());

    beforeEach(async () => {
      agent = await Codex.create(packageFolder, `${gateway.origin}/v1`);
    });

    afterEach(async () => {
      gateway.stub.requests.length = 0;
      await agent.folder.remove();
    });

    /** An answer that runs a command. */
    const runs = (cmd: string): StubPlan => calls('exec_command', { cmd });

    /** An answer that calls a tool, in pieces. */
    function calls(name: string, input: Readonly<Record<string, string>>): StubPlan {
      if (mode === 'native') {
        const json = JSON.stringify(input);
        const pieces = [json.slice(0, 5), json.slice(5)];
        return answer({
          pieces: ['I run it.'],
          toolCalls: [{ id: `call_${++callCount}`, name, arguments: pieces }],
        });
      }
      const parameters = Object.entries(input).map(
        ([key, value]) => `<parameter=${key}>${value}</parameter>\n`,
      );
      const text = `I run it.\n<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`;
      return answer({ pieces: text.match(/[\s\S]{1,9}/g)! });
    }

    const says = (text: string): StubPlan => answer({ reasoning: ['Hm.'], pieces: [...text] });

    /** Paths and outcomes of the gateway's answers so far. */
    const outcomes = (): unknown[] => gateway.entries.map(({ path, outcome }) => [path, outcome]);

    it('creates a file and reads it back', async () => {
      const content = 'Hi <b>there</b> & you';
      gateway.stub.answerNextWith(runs(`printf '${content}' > notes.html`));
      gateway.stub.answerNextWith(runs('cat notes.html'));
      gateway.stub.answerNextWith(says('The file is there.'));
      const { exitCode, stdout, stderr } = await agent.run('Create notes.html and read it.');
      expect([exitCode, stdout]).toEqual([0, 'The file is there.\n']);
      expect(await agent.folder.contentOf('notes.html')).toBe(content);
      expect(await readdir(agent.folder.project)).toEqual(['notes.html']);
      expect(gateway.stub.requests).toHaveLength(3);
      expect(JSON.stringify(gateway.stub.requests[2]!.body.messages)).toContain(content);
      expect(stderr).not.toMatch(MARKUP);
    });

    it('does nine steps, each once', async () => {
      for (let step = 1; step <= 9; step++) {
        gateway.stub.answerNextWith(runs(`echo step ${step} >> steps.txt && tail -n 1 steps.txt`));
      }
      gateway.stub.answerNextWith(says('Nine steps.'));
      const { exitCode, stdout, stderr } = await agent.run('Do nine steps.');
      expect([exitCode, stdout]).toEqual([0, 'Nine steps.\n']);
      const lines = Array.from({ length: 9 }, (_, index) => `step ${index + 1}\n`);
      expect(await agent.folder.contentOf('steps.txt')).toBe(lines.join(''));
      expect(gateway.stub.requests).toHaveLength(10);
      expect(stderr).not.toMatch(MARKUP);
    });

    it('calls a function of a namespace by the name that the agent knows', async () => {
      gateway.stub.answerNextWith(calls('multi_agent_v1__close_agent', { target: 'nobody' }));
      gateway.stub.answerNextWith(says('Nobody was there.'));
      const { exitCode, stdout } = await agent.run('Close the agent.');
      expect([exitCode, stdout]).toEqual([0, 'Nobody was there.\n']);
      const result = JSON.stringify(gateway.stub.requests[1]!.body.messages?.at(-1));
      expect(result).not.toMatch(/unsupported/);
    });

    it.each<[string, StubPlan]>([
      ['at once', resets(3)],
      ['late in the answer', resets(150)],
      ['within a call', cutInCall(mode === 'native')],
    ])('asks again after a stream that is cut %s, and runs the tool once', async (_when, cut) => {
      const before = outcomes().length;
      gateway.stub.answerNextWith(cut);
      gateway.stub.answerNextWith(runs('echo once >> once.txt'));
      gateway.stub.answerNextWith(says('Done.'));
      const { exitCode, stdout } = await agent.run('Write once.');
      expect([exitCode, stdout]).toEqual([0, 'Done.\n']);
      expect(await agent.folder.contentOf('once.txt')).toBe('once\n');
      expect(outcomes().slice(before)).toEqual([
        ['/v1/responses', 'upstream_error'],
        ['/v1/responses', 'ok'],
        ['/v1/responses', 'ok'],
      ]);
    });

    it('waits a rate limit out', async () => {
      gateway.stub.answerNextWith(rateLimited({ retryAfter: '1' }));
      gateway.stub.answerNextWith(says('Hi.'));
      const { exitCode, stdout } = await agent.run('Say hi.');
      expect([exitCode, stdout]).toEqual([0, 'Hi.\n']);
    });

    it.each([
      ['regenerated', 'auto'],
      ['dropped', 'drop'],
    ] as const)('sees nothing of a repeated result that is %s (ECHO_ACTION %s)', async (action, setting) => {
      gateway.settings.ECHO_ACTION = setting;
      const before = gateway.entries.length;
      const listing = Array.from({ length: 40 }, (_, index) => `item ${index}: ${index * 7919} on the shelf`);
      gateway.stub.answerNextWith(runs(`printf '%s\\n' ${listing.map((line) => `'${line}'`).join(' ')}`));
      gateway.stub.answerNextWith(answer({ pieces: listing.map((line) => `${line}\n`) }));
      gateway.stub.answerNextWith(says('Forty items.'));
      const { exitCode, stdout } = await agent.run('Count the items.');
      gateway.settings.ECHO_ACTION = 'auto';
      expect([exitCode, stdout]).toEqual([0, 'Forty items.\n']);
      expect(gateway.entries.slice(before).flatMap(({ corrections = [] }) => corrections)).toMatchObject([
        { cause: 'echo', action },
      ]);
    });

    it('goes on from a summary by the model in the place of its provider', async () => {
      const own = await Codex.create(packageFolder, `${gateway.origin}/v1`, 2000);
      gateway.stub.answerNextWith(runs('echo found $((41 + 1)) && echo once >> once.txt'));
      gateway.stub.answerNextWith(says('It found the answer.'));
      gateway.stub.answerNextWith(says('Done.'));
      const { exitCode, stdout, stderr } = await own.run('Look for it.');
      expect([exitCode, stdout, stderr]).toEqual([0, 'Done.\n', expect.anything()]);
      expect(await own.folder.contentOf('once.txt')).toBe('once\n');
      await own.folder.remove();
      const [, asked, last] = gateway.stub.requests.map(({ body }) => JSON.stringify(body.messages));
      expect(asked).toContain(SUMMARY_REQUEST.split('\n')[0]);
      expect(asked).toContain('found 42');
      expect(last).toContain('It found the answer.');
      expect(last).toContain('Look for it.');
      expect(last).not.toContain('found 42');
    });

    it('shows the user a rate limit that does not end', async () => {
      gateway.stub.answerWith(rateLimited({ retryAfter: '1' }));
      const { exitCode, stdout, stderr } = await agent.run('Say hi.');
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/ERROR: .*429/);
    });
  },
);

describe(`Codex ${VERSION} with a model of its own`, () => {
  it('calls the tools that it sends within the input', async () => {
    const own = 'gpt-5.6-sol';
    const gateway = await StubGateway.start({
      TOOL_MODE: 'native',
      models: { [own]: { contextWindow: 200_000, maxOutputTokens: 9000, thinking: true } },
      RETRY_MAX_ATTEMPTS: 1,
    });
    const agent = await Codex.create(await installPackage('@openai/codex', VERSION), `${gateway.origin}/v1`);
    try {
      const input = "text(await tools.exec_command({ cmd: 'echo once >> once.txt && cat once.txt' }))";
      gateway.stub.answerNextWith(
        answer({
          pieces: [],
          toolCalls: [{ id: 'call_1', name: 'functions__exec', arguments: [JSON.stringify({ input })] }],
        }),
      );
      gateway.stub.answerNextWith(answer({ pieces: ['Done.'] }));
      const { exitCode, stdout, stderr } = await agent.run('Write once.txt.', own);
      expect([exitCode, stdout]).toEqual([0, 'Done.\n']);
      expect(await agent.folder.contentOf('once.txt')).toBe('once\n');
      expect(stderr).not.toContain('unsupported');
    } finally {
      await agent.folder.remove();
      await gateway.close();
    }
  });
});

describe(`Codex ${VERSION} over a chat site`, () => {
  it('does nine steps through the real browser, each once', async () => {
    const gateway = await startGateway({ LOG_CONTENT: 'full' });
    const agent = await Codex.create(await installPackage('@openai/codex', VERSION), gateway.baseUrl);
    try {
      const marks = Array.from({ length: 9 }, (_, index) => {
        const cmd = `echo step ${index + 1} >> steps.txt && tail -n 1 steps.txt`;
        return `[[call:exec_command:${JSON.stringify({ cmd })}]]`;
      });
      const { exitCode, stdout } = await agent.run(marks.join(' '));
      expect(exitCode).toBe(0);
      const lines = Array.from({ length: 9 }, (_, index) => `step ${index + 1}\n`);
      expect(await agent.folder.contentOf('steps.txt')).toBe(lines.join(''));
      expect(stdout).not.toMatch(MARKUP);
    } finally {
      await agent.folder.remove();
      await gateway.close();
    }
  });
});

/** The beginning of a call that would leave a mark, then nothing more. */
function cutInCall(isNative: boolean): StubPlan {
  const command = 'echo once >> once.txt && echo';
  const begun = isNative
    ? answerEvents({
        pieces: [],
        toolCalls: [{ id: 'call_cut', name: 'exec_command', arguments: ['{"cmd":"', command] }],
        finishReason: null,
      })
    : answerEvents({
        pieces: ['<tool_call>\n<function=exec_command>\n', `<parameter=cmd>${command}`],
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
