import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ResponseRig } from '../../../../test/support/watch/response-rig.js';
import { cutStalledCaller } from './stalled-caller.js';

describe('cutStalledCaller', () => {
  let rig: ResponseRig;

  beforeEach(async () => {
    rig = await ResponseRig.open();
  });

  afterEach(() => rig.close());

  it('spares a caller without waiting bytes, however long the silence', async () => {
    rig.response.write('a');
    cutStalledCaller(rig.response, 5);
    await once(rig.response, 'timeout');
    rig.response.write('b');
    await once(rig.response, 'timeout');
    rig.response.end('c');
    expect(await rig.readAll()).toMatchObject({ writes: ['a', 'b', 'c'], isWhole: true });
  });

  it('cuts off a caller that stopped reading', async () => {
    const closed = once(rig.response, 'close');
    rig.response.write('x'.repeat(8_000_000));
    cutStalledCaller(rig.response, 5);
    await closed;
    expect((await rig.readAll()).isWhole).toBe(false);
  });
});
