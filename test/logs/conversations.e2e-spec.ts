import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RequestLogEntry } from '../../src/logs/records/request-log-entry.js';
import { openForWriting } from '../../src/logs/store/log-database.js';
import { RecordWriter } from '../../src/logs/store/record-writer.js';
import { LogClient } from '../support/gateway/log-client.js';
import { entry, stored } from '../support/gateway/log-records.js';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

interface Message {
  readonly role: string;
  readonly content: string;
}

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });

describe('turns of one conversation', () => {
  let gateway: StubGateway;
  let log: LogClient;
  beforeAll(async () => {
    gateway = await StubGateway.start();
    log = new LogClient(gateway.origin);
  });
  afterAll(() => gateway.close());

  /** Asks for a completion and returns the id of the request. */
  async function ask(messages: readonly Message[], said: string): Promise<string> {
    gateway.stub.answerNextWith(answer({ pieces: [said] }));
    const { headers } = await gateway.complete({ model: 'svc-max', messages });
    return headers.get('x-request-id') ?? '';
  }

  const placeOf = async (id: string) => {
    const { conversation = '', turn } = (await log.page(`?q=${id}`)).entries[0] as RequestLogEntry;
    return { conversation, turn };
  };

  it('share an id, by which they are found, and others that begin alike do not', async () => {
    const first = await ask([user('Hi')], 'Hello.');
    const alike = await ask([user('Hi')], 'Good day.');
    const second = await ask([user('Hi'), assistant('Hello.'), user('And?')], 'So.');
    const { conversation, turn } = await placeOf(first);
    expect(turn).toBe(1);
    expect(await placeOf(second)).toEqual({ conversation, turn: 2 });
    expect((await placeOf(alike)).conversation).not.toBe(conversation);
    expect(await log.ids(`?conversation=${conversation}`)).toEqual([second, first]);
    expect(await log.ids('?conversation=0123456789abcdef')).toEqual([]);
  });

  it('have none where no texts are kept', async () => {
    gateway.settings.LOG_CONTENT = 'none';
    try {
      expect(await placeOf(await ask([user('Hi')], 'Hello.'))).toEqual({ conversation: '', turn: undefined });
    } finally {
      gateway.settings.LOG_CONTENT = 'preview';
    }
  });

  it('are not looked for by anything else than their id', async () => {
    const response = await log.get('/log/json?conversation=first');
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { param: 'conversation', message: expect.stringContaining('of an entry') } },
    ]);
  });
});

describe('a file from before conversations', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'log-store-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is kept, and takes them from then on', () => {
    const path = join(folder, 'logs.db');
    const write = (id: string, number: number): void => {
      const database = openForWriting(path);
      const limits = { maxBytes: 2 ** 30, keepFrom: 0, now: 0 };
      const record = stored(entry(id, { conversation: '0123456789abcdef', turn: number }), number);
      new RecordWriter(database).write([record], limits, () => undefined, fail);
      database.close();
    };
    const fail = (_record: object, reason: string): void => {
      throw new Error(reason);
    };
    write('old', 1);
    const file = new DatabaseSync(path);
    file.exec('ALTER TABLE records DROP COLUMN conversation');
    file.close();
    write('new', 2);
    const after = openForWriting(path);
    expect(after.prepare('SELECT id, conversation FROM records ORDER BY seq').all()).toEqual([
      { id: 'old', conversation: null },
      { id: 'new', conversation: '0123456789abcdef' },
    ]);
    after.close();
  });
});
