import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { ACCEPTED, DONE, type ScriptedDriver, text } from '../../test/support/upstream/scripted-driver.js';
import { type CompletionDecisions } from '../chat/record/decisions.js';
import { LogsService } from '../logs/logs.service.js';
import { type RequestLogEntry } from '../logs/records/request-log-entry.js';
import { UnavailableError } from '../upstream/upstream.errors.js';
import { UpstreamDriver } from '../upstream/upstream-driver.js';
import { RerunModule } from './rerun.module.js';

const PASSWORD = 'pass-of-the-seed';
const ROUTE = '/dashboard/api/requests';
const CALL = '<tool_call>\n<function=f>\n<parameter=a>1</parameter>\n</function>\n</tool_call>';
const TOOLS = [
  { type: 'function', function: { name: 'f', parameters: { properties: { a: { type: 'string' } } } } },
];

describe('RerunController', () => {
  let app: ControllerApp;
  let driver: ScriptedDriver;

  beforeAll(async () => {
    app = await ControllerApp.start(RerunModule, {
      accounts: [{ name: 'seed', credentials: { user: 'ann', password: PASSWORD } }],
    });
    await app.logReady();
    driver = app.app.get(UpstreamDriver);
  });
  afterAll(() => app.close());
  beforeEach(() => {
    Object.assign(app.settings, { RECORD_UPSTREAM: 'all', LOG_CONTENT: 'preview' });
  });

  /** Asks for a completion; returns its id in the log. */
  async function ask(body: object = {}): Promise<string> {
    const messages = [{ role: 'user', content: 'Hello?' }];
    const { headers } = await app.ask('POST', '/v1/chat/completions', {
      body: { model: 'svc-max', messages, stream: false, ...body },
    });
    return headers.get('x-request-id') ?? '';
  }

  describeRoutes(() => app, {
    [`GET ${ROUTE}/x/recording`]: {},
    [`POST ${ROUTE}/x/rerun`]: {
      bad: [
        [{ TOOL_MODE: 'x' }, 'TOOL_MODE'],
        [{ TOOL_COMPRESSION: 1 }, 'TOOL_COMPRESSION'],
        [{ ECHO_ACTION: 'x' }, 'ECHO_ACTION'],
      ],
    },
  });

  it('runs a request again without the upstream, also with other settings', async () => {
    driver.onPrompt = (prompt) => {
      prompt.emit(ACCEPTED, text(CALL.slice(0, 30)), text(CALL.slice(30)), DONE);
      prompt.end();
    };
    const id = await ask({ tools: TOOLS });
    const prompts = driver.prompts.length;
    const same = await app.ask('POST', `${ROUTE}/${id}/rerun`, { body: {} });
    expect(same.body).toMatchObject({
      then: { outcome: 'ok', finishReason: 'tool_calls', toolCalls: [{ name: 'f', arguments: '{"a":"1"}' }] },
      differences: [],
    });
    const native = await app.ask('POST', `${ROUTE}/${id}/rerun`, { body: { TOOL_MODE: 'native' } });
    const { now, differences } = native.body as { now: CompletionDecisions; differences: { path: string }[] };
    expect([now.text, now.toolCalls]).toEqual([CALL, []]);
    expect(differences.map(({ path }) => path)).toContain('finishReason');
    expect(driver.prompts.length).toBe(prompts);
  });

  it('names the gateway that has the recording where several share a log', async () => {
    const entry = { kind: 'request', id: 'req_1', isRecorded: true, node: 'vm-other' } as RequestLogEntry;
    const find = jest.spyOn(app.app.get(LogsService), 'find').mockResolvedValue({ entry, network: [] });
    const answers = await Promise.all([
      app.ask('GET', `${ROUTE}/req_1/recording`),
      app.ask('POST', `${ROUTE}/req_1/rerun`, { body: {} }),
    ]);
    find.mockResolvedValue({ entry: { ...entry, isRecorded: undefined }, network: [] });
    answers.push(await app.ask('GET', `${ROUTE}/req_1/recording`));
    find.mockRestore();
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(answers.map(({ text: body }) => body.includes('vm-other'))).toEqual([true, true, false]);
  });

  it('keeps failures with their errors, without secrets, and nothing with LOG_CONTENT=none', async () => {
    driver.onPrompt = (prompt) => {
      prompt.emit(ACCEPTED, text(`It says ${PASSWORD}.`));
      prompt.fail(new UnavailableError('stream_reset', 'The connection was cut.'));
    };
    app.settings.RECORD_UPSTREAM = 'failures';
    const id = await ask();
    const { text: json } = await app.ask('GET', `${ROUTE}/${id}/recording`);
    expect(json).not.toContain(PASSWORD);
    expect(JSON.parse(json)).toMatchObject({
      version: 1,
      dispatches: [
        {
          attempts: [
            {
              account: 'seed',
              reads: [
                [expect.any(Number), { type: 'accepted' }],
                [expect.any(Number), 'It says [redacted].'],
              ],
              error: { name: 'UnavailableError', reason: 'stream_reset' },
            },
          ],
        },
      ],
      decisions: { outcome: 'failed', error: { reason: 'upstream_cut' } },
    });
    const { body } = await app.ask('POST', `${ROUTE}/${id}/rerun`, { body: {} });
    expect(body).toMatchObject({ differences: [] });

    driver.onPrompt = (prompt) => prompt.answer('hi');
    expect((await app.ask('GET', `${ROUTE}/${await ask()}/recording`)).status).toBe(404);
    Object.assign(app.settings, { RECORD_UPSTREAM: 'all', LOG_CONTENT: 'none' });
    expect((await app.ask('GET', `${ROUTE}/${await ask()}/recording`)).status).toBe(404);
  });
});
