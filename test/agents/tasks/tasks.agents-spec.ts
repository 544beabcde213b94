import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StubGateway } from '../../support/gateway/stub-gateway.js';
import { failed } from '../../support/upstream/openai-stub-plans.js';
import { type ScriptedCall, ScriptedModel } from '../../support/upstream/scripted-model.js';
import { AgentFolder } from '../agent-folder.js';
import { DROID, GEMINI_CLI, KIMI_CODE } from './further-programs.js';
import { AI_SDK, LANGCHAIN, OPENAI } from './libraries.js';
import { type Outcome, OutcomeTable, toldBy } from './outcome-table.js';
import { CLINE, CODEX_CHAT, CONTINUE, COPILOT, OPENCODE, PI, QWEN_CODE } from './programs.js';
import { TASK_CASES, type TaskCase } from './task-cases.js';
import { type TaskClient } from './task-client.js';

const CLIENTS: readonly TaskClient[] = [
  ...[OPENCODE, PI, CLINE, CONTINUE, CODEX_CHAT, QWEN_CODE, COPILOT],
  ...[KIMI_CODE, DROID, GEMINI_CLI],
  ...[OPENAI, AI_SDK, LANGCHAIN],
];

const INSTALL_LIMIT_MS = 12 * 60_000;
/** A limit of two minutes that is waited out, and the rest of the task. */
const CASE_LIMIT_MS = 300_000;
const LAST_WORDS = 'All of it is done, as the files show.';
const CONTENT = 'Hi <b>there</b> & "you"\n\tC:\\new\n';
/** Shows some thousands of tokens. */
const LONG = "; seq -s ' ' 1 8000 | fold -w 200";
/** One pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let table: OutcomeTable;

/** Whether a client cannot show its model a picture. */
function lacksTool({ look }: TaskClient, { task }: TaskCase): boolean {
  return task === 'a picture' && look === undefined;
}

beforeAll(async () => {
  table = await OutcomeTable.load();
  for (const client of CLIENTS) {
    for (const taskCase of TASK_CASES.filter((one) => lacksTool(client, one))) {
      table.set(client.name, taskCase.name, { kind: 'no tool' });
    }
  }
});

afterAll(async () => {
  if (table.isWritten) {
    await table.save(
      CLIENTS.map(({ name }) => name),
      TASK_CASES.map(({ name }) => name),
    );
  }
});

describe.each(CLIENTS)('$name', (client) => {
  let folder: AgentFolder;
  let gateway: StubGateway;

  beforeAll(() => client.install(), INSTALL_LIMIT_MS);

  beforeEach(async () => {
    folder = await AgentFolder.create('task');
  });

  afterEach(async () => {
    await gateway?.close();
    await folder.remove();
  });

  it.each(TASK_CASES.filter((taskCase) => !lacksTool(client, taskCase)))(
    '$name',
    async (taskCase) => {
      gateway = await StubGateway.start(taskCase.settings);
      await writeFile(join(folder.project, 'picture.png'), Buffer.from(PICTURE, 'base64'));
      const calls = stepsOf(taskCase);
      serve(taskCase, calls);
      const shown = await client.perform('Do the steps.', folder, `${gateway.origin}/v1`);
      const outcome = await judge(shown, taskCase, calls);
      if (!table.isWritten) {
        expect(outcome.kind).toBe(table.kindOf(client.name, taskCase.name));
      }
      table.set(client.name, taskCase.name, outcome);
    },
    CASE_LIMIT_MS,
  );

  /** Each command leaves a mark when it runs. */
  function stepsOf({ task }: TaskCase): readonly ScriptedCall[] {
    const mark = (step: number, also = ''): ScriptedCall =>
      client.shell(`echo step ${step} >> marks.txt${also}`);
    const write = (name: string): ScriptedCall => client.write(join(folder.project, name), CONTENT);
    const nine = (also?: string): ScriptedCall[] => [
      ...[mark(1, also), write('a.txt'), mark(2, also), mark(3, also), write('b.txt')],
      ...[mark(4, also), mark(5, also), write('notes.html'), mark(6)],
    ];
    switch (task) {
      case 'two steps':
        return [mark(1), write('notes.html')];
      case 'nine steps':
        return nine();
      case 'nine long steps':
        return nine(LONG);
      case 'a picture':
        return [client.look!(join(folder.project, 'picture.png')), mark(1), write('notes.html')];
    }
  }

  function serve(
    { settings, disturbance, disturbedAfter = 1, task }: TaskCase,
    calls: readonly ScriptedCall[],
  ): void {
    const model = new ScriptedModel(
      settings?.TOOL_MODE !== 'emulated',
      calls,
      LAST_WORDS,
      client.summaryMarker,
    );
    if (disturbance) {
      model.disturbAfter(disturbedAfter, disturbance(gateway, calls[disturbedAfter]!));
    }
    model.serve(
      gateway.stub,
      task === 'a picture' ? failed(400, { message: 'This model does not support image input.' }) : undefined,
    );
  }

  /** Fails for a tool that ran twice, and for work that was lost without a word. */
  async function judge(
    shown: string,
    { tells = /^$/ }: TaskCase,
    calls: readonly ScriptedCall[],
  ): Promise<Outcome> {
    const marks = (await folder.contentOf('marks.txt').catch(() => '')).split('\n').slice(0, -1);
    expect(new Set(marks).size).toBe(marks.length);
    if (shown.includes(LAST_WORDS)) {
      const expected = calls.filter((call) => JSON.stringify(call).includes('echo step')).length;
      expect([marks.length, await folder.contentOf('notes.html')]).toEqual([expected, CONTENT]);
      return { kind: 'done' };
    }
    const told = toldBy(shown, client.failureWords ?? tells);
    expect(told ?? shown).toBe(told);
    return { kind: 'told', told: told! };
  }
});
