import { describe, expect, it } from '@jest/globals';
import { type ChildGateway, type ChildRig, useChildRig } from '../support/gateway/child-gateway.js';
import { answer, endless } from '../support/upstream/openai-stub-plans.js';
import { readEvents } from '../support/watch/read-events.js';

describe('responses of a gateway that ends', () => {
  let rig: ChildRig;
  let child: ChildGateway;

  const start = async (): Promise<void> => {
    child = await rig.start({ DRAIN_MS: '1' });
  };

  useChildRig((made) => {
    rig = made;
    return start();
  });

  async function ask(path: string, body?: object): Promise<{ readonly id: string; readonly status: string }> {
    const response = await fetch(`${child.baseUrl}/responses${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    return (await response.json()) as { id: string; status: string };
  }

  /** Begins a response, waits for its first text. @returns its id and the number of the last event seen */
  async function begin(): Promise<{ id: string; last: number }> {
    rig.stub.answerNextWith(endless(2));
    const { id } = await ask('', { model: 'svc-max', input: 'Hi', background: true });
    const response = await fetch(`${child.baseUrl}/responses/${id}?stream=true`);
    let text = '';
    for await (const bytes of response.body!) {
      text += Buffer.from(bytes as Uint8Array).toString('utf8');
      if (text.includes('output_text.delta')) {
        break;
      }
    }
    const events = readEvents(text.slice(0, text.lastIndexOf('\n\n') + 2));
    return { id, last: Number(events.at(-1)!.data.sequence_number) };
  }

  const events = async (id: string, after: string): Promise<ReturnType<typeof readEvents>> =>
    readEvents(await (await fetch(`${child.baseUrl}/responses/${id}?stream=true${after}`)).text());

  it('are failed after a kill, for readers of their stream, too', async () => {
    rig.stub.answerNextWith(answer());
    const whole = await ask('', { model: 'svc-max', input: 'Hi' });
    const { id, last } = await begin();
    await child.kill();
    await start();
    expect(await ask(`/${whole.id}`)).toEqual(whole);
    const response = await ask(`/${id}`);
    expect(response).toMatchObject({ id, status: 'failed', error: { code: 'server_error' } });
    const failure = (sequence_number: number): object => ({
      event: 'response.failed',
      data: { type: 'response.failed', sequence_number, response },
    });
    expect(await events(id, `&starting_after=${last}`)).toEqual([failure(last + 1)]);
    expect((await events(id, '')).map(({ event }) => event)).toEqual([
      'response.created',
      'response.queued',
      'response.failed',
    ]);
  });

  it('are failed after a stop that could not wait for them, their events kept', async () => {
    const { id, last } = await begin();
    child.signal('SIGTERM');
    expect(await child.ended).toEqual([0, null]);
    await start();
    const response = await ask(`/${id}`);
    expect(response).toMatchObject({ id, status: 'failed', output: [{ status: 'incomplete' }] });
    const rest = await events(id, `&starting_after=${last}`);
    expect(rest.map(({ data }) => data.sequence_number)).toEqual(rest.map((_, index) => last + 1 + index));
    expect(rest.at(-1)).toMatchObject({ event: 'response.failed', data: { response } });
  });
});
