import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Settings } from '../common/config/settings.js';
import { SystemClock } from '../common/time/clock.js';
import { BackgroundRuns } from './background/background-runs.js';
import { SqliteResponseStore } from './store/sqlite-response-store.js';
import { StoredResponsesService } from './stored-responses.service.js';

const event = (number: number): string => `event: e\ndata: ${number}\n\n`;

const reader = (owner: string, admit = (_bytes: number): Promise<void> | undefined => undefined) => ({
  owner,
  admit,
});
const ANN = reader('ann');

describe('StoredResponsesService', () => {
  let settings: Settings;
  let store: SqliteResponseStore;
  let responses: StoredResponsesService;

  beforeEach(async () => {
    settings = Object.assign(new Settings(), {
      DATA_DIR: await mkdtemp(join(tmpdir(), 'responses-')),
      API_KEY: 'key-1',
    });
    store = new SqliteResponseStore(settings, new SystemClock());
    responses = new StoredResponsesService(store, new BackgroundRuns());
    await store.put({
      id: 'resp_1',
      owner: ANN.owner,
      createdAt: Date.now(),
      previous: null,
      status: 'in_progress',
      body: '{"id":"resp_1","status":"in_progress"}',
      input: '[]',
      events: event(0) + event(1),
    });
  });

  afterEach(async () => {
    await store.onApplicationShutdown();
    await rm(settings.DATA_DIR, { recursive: true, force: true });
  });

  it('fails a response whose end was not stored, in its events, too', async () => {
    const response: unknown = JSON.parse(await responses.find(ANN, 'resp_1'));
    expect(response).toEqual({
      id: 'resp_1',
      status: 'failed',
      error: { code: 'server_error', message: 'The end of the response could not be stored.' },
    });
    const failure = (number: number): string =>
      `event: response.failed\ndata: ${JSON.stringify({
        type: 'response.failed',
        sequence_number: number,
        response,
      })}\n\n`;
    const read = async (startingAfter: number): Promise<readonly string[]> => {
      const { log, from } = await responses.events(ANN, 'resp_1', startingAfter);
      expect(log.isOver).toBe(true);
      return log.read(from, 10_000);
    };
    expect(await read(-1)).toEqual([event(0), event(1), failure(2)]);
    expect(await read(0)).toEqual([event(1), failure(2)]);
    expect(await read(57)).toEqual([failure(58)]);
  });

  it('shows nothing to holders of another key', async () => {
    await expect(responses.find(reader('bob'), 'resp_1')).rejects.toMatchObject({ code: 'not_found' });
    await expect(responses.events(reader('bob'), 'resp_1', -1)).rejects.toMatchObject({ code: 'not_found' });
    await expect(responses.inputItems(reader('bob'), 'resp_1')).rejects.toMatchObject({ code: 'not_found' });
    await expect(responses.cancel(reader('bob'), 'resp_1')).rejects.toMatchObject({ code: 'not_found' });
    await expect(responses.remove('bob', 'resp_1')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('waits for room before it reads a long text, and reads no other', async () => {
    const input = JSON.stringify([{ type: 'message', text: 'x'.repeat(100_000) }]);
    const [body, events] = [`{"id":"resp_2","text":"${'y'.repeat(200_000)}"}`, 'z\n\n'.repeat(100_000)];
    const status = 'completed';
    const kept = { id: 'resp_2', owner: 'ann', createdAt: Date.now(), previous: null, status } as const;
    await store.put({ ...kept, body, input, events });
    const admitted: number[] = [];
    const counted = reader('ann', (bytes) => void admitted.push(bytes));
    expect(await responses.find(counted, 'resp_2')).toBe(body);
    expect(await responses.inputItems(counted, 'resp_2')).toEqual(JSON.parse(input));
    expect((await responses.events(counted, 'resp_2', -1)).log.length).toBe(100_000);
    expect(admitted).toEqual([body.length, input.length, events.length]);
    const full = reader('ann', () => Promise.reject(new Error('no room')));
    await expect(responses.find(full, 'resp_2')).rejects.toThrow('no room');
    await expect(responses.inputItems(full, 'resp_2')).rejects.toThrow('no room');
    await expect(responses.events(full, 'resp_2', -1)).rejects.toThrow('no room');
  });
});
