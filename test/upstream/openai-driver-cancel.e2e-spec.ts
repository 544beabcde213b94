import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FlowValve } from '../../src/upstream/flow-gate.js';
import { type UpstreamBatch } from '../../src/upstream/upstream-driver.js';
import { done, OpenAiDriverRig, REQUEST } from '../support/upstream/openai-driver-rig.js';
import * as plans from '../support/upstream/openai-stub-plans.js';
import { processPace } from '../support/watch/machine-pace.js';

const unavailable = (fault: string): unknown => expect.objectContaining({ name: 'UnavailableError', fault });

let rig: OpenAiDriverRig;

beforeEach(async () => {
  rig = await OpenAiDriverRig.start();
});

afterEach(async () => {
  await rig.close();
});

describe('a request that is given up', () => {
  const endless = plans.endless(5);

  async function untilSeen(since: number): Promise<void> {
    const { abortedAt } = await rig.stub.waitFor((request) => request.abortedAt !== undefined);
    await processPace.expectWithin(abortedAt! - since, 300);
  }

  it('by its gateway, which lost the account while the connection was made, does not leave', async () => {
    const asked: number[] = [];
    const permit = {
      fence: '0/1',
      mayBegin: () => {
        asked.push(rig.stub.requests.length);
        return asked.length > 1;
      },
    };
    expect(await rig.send({ permit })).toEqual({ events: [], error: unavailable('account_handed_over') });
    rig.stub.answerWith(plans.answer({ pieces: ['ok'] }));
    expect((await rig.send({ permit })).error).toBeUndefined();
    expect([asked, rig.stub.requests.length]).toEqual([[0, 0], 1]);
  });

  it('by its signal closes the connection at once, before the headers', async () => {
    rig.stub.answerWith(plans.hangs());
    const controller = new AbortController();
    const outcome = rig.send({ signal: controller.signal });
    await rig.stub.waitFor(() => true);
    const since = performance.now();
    controller.abort();
    expect(await outcome).toEqual({ events: [], error: unavailable('aborted') });
    await untilSeen(since);
  });

  it('by its signal closes the connection at once, within the answer', async () => {
    rig.stub.answerWith(endless);
    const controller = new AbortController();
    let since = 0;
    const { error } = await rig.send({
      signal: controller.signal,
      onBatch: () => {
        since = performance.now();
        controller.abort();
      },
    });
    expect(error).toEqual(unavailable('aborted'));
    await untilSeen(since);
  });

  it('by leaving closes the connection at once', async () => {
    rig.stub.answerWith(endless);
    const context = { signal: new AbortController().signal, flow: new FlowValve() };
    const batches: UpstreamBatch[] = [];
    const since = await new Promise<number>((resolve) => {
      const subscription = rig.session.send(REQUEST, context).subscribe((batch) => {
        batches.push(batch);
        subscription.unsubscribe();
        resolve(performance.now());
      });
    });
    await untilSeen(since);
    expect(batches).toHaveLength(1);
  });

  it('by closing its session closes the connection at once', async () => {
    rig.stub.answerWith(endless);
    let since = 0;
    const { error } = await rig.send({
      onBatch: () => {
        since = performance.now();
        void rig.session.close();
      },
    });
    expect(error).toEqual(unavailable('aborted'));
    expect(rig.session.isUsable).toBe(false);
    await untilSeen(since);
  });

  it('before it was sent is not sent', async () => {
    expect(await rig.send({ signal: AbortSignal.abort() })).toEqual({
      events: [],
      error: unavailable('aborted'),
    });
    const left = rig.session
      .send(REQUEST, { signal: new AbortController().signal, flow: new FlowValve() })
      .subscribe();
    left.unsubscribe();
    await rig.outcomeOf(plans.answer());
    expect(rig.stub.requests).toHaveLength(1);
  });
});

describe('a caller that does not keep up', () => {
  it('stops the reading, which goes on when it does', async () => {
    const total = 32 * 2 ** 20;
    const piece = 'x'.repeat(32 * 1024);
    const stalled = Promise.withResolvers<number>();
    rig.stub.answerWith(async (reply) => {
      for (let sent = 0; sent < total; sent += piece.length) {
        const written = reply.event(plans.chunk({ content: piece }));
        const stall = setTimeout(() => stalled.resolve(sent), 300);
        await written;
        clearTimeout(stall);
      }
      await reply.event(plans.chunk({}, 'stop'));
      reply.end();
    });
    const flow = new FlowValve();
    let isFirst = true;
    const outcome = rig.send({
      flow,
      onBatch: () => {
        if (isFirst) {
          isFirst = false;
          flow.close();
        }
      },
    });
    // What is under way fills the kernel's buffers at most.
    expect(await stalled.promise).toBeLessThan(total / 2);
    flow.open();
    const { events } = await outcome;
    const read = events.reduce((sum, event) => sum + (event.type === 'text' ? event.text.length : 0), 0);
    expect(read).toBe(total);
    expect(events.at(-1)).toEqual(done());
  });
});
