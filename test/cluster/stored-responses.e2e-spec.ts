import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildGateway } from '../support/gateway/child-gateway.js';
import { ClusterRig, ENDLESS, speaking } from '../support/gateway/cluster-rig.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

interface Answered {
  readonly id: string;
  readonly status: string;
  readonly error: { readonly code: string } | null;
  readonly output: readonly { readonly content: readonly { readonly text: string }[] }[];
}

let rig: ClusterRig;
let one: ChildGateway;
let other: ChildGateway;
/** Ends the endless answers. */
let fallSilent: () => void;

/** Starts two nodes. */
async function startTwo(): Promise<void> {
  rig = await ClusterRig.start();
  [one, other] = await Promise.all([rig.add(), rig.add()]);
}

beforeEach(async () => {
  const silence = Promise.withResolvers<void>();
  fallSilent = silence.resolve;
  rig.stub.answerWith(speaking(silence.promise));
  await Promise.all([one, other].map((node) => rig.ready(node)));
});

afterEach(() => {
  fallSilent();
  rig.proxy.thaw();
});

/** @param path behind `/responses` */
async function ask(node: ChildGateway, method: string, path = '', body?: object): Promise<Response> {
  return fetch(`${node.baseUrl}/responses${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
}

async function create(node: ChildGateway, fields: object): Promise<Answered> {
  const response = await ask(node, 'POST', '', { model: 'svc-max', ...fields });
  if (!response.ok) {
    throw new Error(`${response.status} ${await response.text()}`);
  }
  return (await response.json()) as Answered;
}

/** Begins a response on the first node that goes on until it is told to end. */
async function begin(): Promise<string> {
  const { id } = await create(one, { input: ENDLESS, background: true });
  await eventually(PATIENCE_MS, async () => expect((await read(one, id)).status).toBe('in_progress'));
  return id;
}

async function read(node: ChildGateway, id: string): Promise<Answered> {
  const response = await ask(node, 'GET', `/${id}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Answered;
}

const ended = (node: ChildGateway, id: string): Promise<Answered> =>
  eventually(PATIENCE_MS, async () => {
    const response = await read(node, id);
    expect(['queued', 'in_progress']).not.toContain(response.status);
    return response;
  });

/** The events of a response, without heartbeats. */
async function events(node: ChildGateway, id: string, startingAfter?: number): Promise<string[]> {
  const after = startingAfter === undefined ? '' : `&starting_after=${startingAfter}`;
  const text = await (await ask(node, 'GET', `/${id}?stream=true${after}`)).text();
  return text.split('\n\n').filter((event) => event.startsWith('event:'));
}

describe('responses of two nodes on one database', () => {
  beforeAll(startTwo);
  afterAll(() => rig.close());

  it('are found, continued and deleted on either', async () => {
    const first = await create(one, { input: 'hi' });
    expect(first.output[0]?.content[0]?.text).toBe('hello');
    const second = await eventually(PATIENCE_MS, () =>
      create(other, { input: 'and now', previous_response_id: first.id }),
    );
    const prompt = JSON.stringify(rig.stub.requests.at(-1)?.body.messages);
    expect(['hi', 'hello', 'and now'].every((text) => prompt.includes(text))).toBe(true);
    expect(await eventually(PATIENCE_MS, () => read(other, first.id))).toEqual(first);
    const items = await (await ask(one, 'GET', `/${second.id}/input_items`)).json();
    expect(items).toMatchObject({ data: [{ content: [{ text: 'and now' }] }] });
    expect((await ask(other, 'DELETE', `/${first.id}`)).status).toBe(200);
    expect((await ask(one, 'GET', `/${first.id}`)).status).toBe(404);
  });

  it('are read on either while one makes them, with the same events', async () => {
    const id = await begin();
    expect(['queued', 'in_progress']).toContain((await read(other, id)).status);
    const reading = [events(one, id), events(other, id), events(other, id, 0)];
    fallSilent();
    const [here, there, later] = await Promise.all(reading);
    expect(here?.at(-1)).toContain('response.completed');
    expect(there).toEqual(here);
    expect(later).toEqual(here?.slice(1));
    expect(await ended(other, id)).toEqual(await read(one, id));
  });

  it('are cancelled and deleted on either while one makes them', async () => {
    const [cancelled, deleted] = [await begin(), await begin()];
    const answer = await ask(other, 'POST', `/${cancelled}/cancel`);
    expect(answer.status).toBe(200);
    expect((await ended(other, cancelled)).status).toBe('cancelled');
    expect((await read(one, cancelled)).status).toBe('cancelled');
    expect((await ask(other, 'DELETE', `/${deleted}`)).status).toBe(200);
    await eventually(PATIENCE_MS, async () =>
      expect((await ask(one, 'GET', `/${deleted}`)).status).toBe(404),
    );
  });

  it('are answered while the database hangs, and stored once it answers again', async () => {
    // A node uses its accounts for a while only: a machine that stands still for longer needs another try.
    const { id, status } = await eventually(PATIENCE_MS, async () => {
      rig.proxy.thaw();
      await rig.ready(one);
      rig.proxy.freeze();
      return create(one, { input: 'hi' });
    });
    expect(status).toBe('completed');
    expect((await read(one, id)).status).toBe('completed');
    rig.proxy.thaw();
    await eventually(PATIENCE_MS, async () => expect((await read(other, id)).status).toBe('completed'));
  });
});

describe('responses of two nodes, one of which is killed', () => {
  beforeAll(startTwo);
  afterAll(() => rig.close());

  it('fail for their readers when the node that makes them is killed', async () => {
    const id = await begin();
    const reading = [events(other, id), events(other, id, 57)];
    await one.kill();
    const [whole, later] = await Promise.all(reading);
    expect(whole?.at(0)).toContain('event: response.created');
    expect(whole?.at(-1)).toContain('event: response.failed');
    expect(later).toHaveLength(1);
    expect(later?.[0]).toContain('"sequence_number":58');
    expect(await read(other, id)).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
  });
});
