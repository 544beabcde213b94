import { describe, expect, it } from '@jest/globals';
import { runningStage } from '../assets/data/running-stage.js';

const running = { outcome: 'pending', operation: 'completion', preparedMs: 10 };
const attempt = (startedMs, outcome) => ({ account: 'a', startedMs, durationMs: 0, outcome });

describe('runningStage', () => {
  it.each([
    ['has ended', { ...running, outcome: 'ok', attempts: [attempt(10, 'ok')] }, undefined],
    ['is no completion', { outcome: 'pending', preparedMs: 10 }, undefined],
    ['is being read or prepared', { outcome: 'pending', operation: 'completion' }, undefined],
    ['waits for a session', { ...running, attempts: [] }, 'waiting'],
    ['waits for another session', { ...running, attempts: [attempt(10, 'rate_limited')] }, 'waiting'],
    ['asks', { ...running, attempts: [attempt(10, 'running')], acceptedMs: 20 }, 'asked'],
    ['is answered', { ...running, attempts: [attempt(10, 'running')], firstAnswerMs: 30 }, 'answering'],
    [
      'asks again after an answer that was not used',
      { ...running, attempts: [attempt(10, 'ok'), attempt(40, 'running')], firstAnswerMs: 30 },
      'asked',
    ],
    [
      'has reached its caller',
      { ...running, attempts: [attempt(10, 'running')], firstAnswerMs: 30, firstTokenMs: 31 },
      'answering',
    ],
    ['waited at some time at one of several gateways', { ...running, node: 'a', attempts: [] }, undefined],
    [
      'has reached its caller at one of several gateways',
      { ...running, node: 'a', firstTokenMs: 31 },
      'answering',
    ],
    ['waits, as its caller is told', { ...running, queuedMs: 0 }, 'waiting'],
    ['asks, as its caller is told', { ...running, acceptedMs: 20 }, 'asked'],
    ['is answered, as its caller is told', { ...running, acceptedMs: 20, firstAnswerMs: 30 }, 'answering'],
  ])('of a request that %s', (_case, entry, stage) => {
    expect(runningStage(entry)).toBe(stage);
  });
});
