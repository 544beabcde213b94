import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StatusPoll } from '../../assets/data/live/status-poll.js';

const { fetch } = globalThis;
let asked;

beforeEach(() => {
  jest.useFakeTimers();
  asked = 0;
  globalThis.fetch = async () => {
    asked++;
    return Response.json({});
  };
});
afterEach(() => {
  jest.useRealTimers();
  globalThis.fetch = fetch;
});

describe('StatusPoll', () => {
  it('asks once a second, however often the gateway is taken for back', async () => {
    const poll = new StatusPoll({ key: null, onAnswer: () => undefined });
    poll.start();
    for (let times = 0; times < 25; times++) {
      await jest.advanceTimersByTimeAsync(100);
      poll.retry();
    }
    poll.stop();
    expect(asked).toBe(3);
  });
});
