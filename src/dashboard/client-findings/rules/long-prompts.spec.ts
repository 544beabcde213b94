import { describe, expect, it } from '@jest/globals';
import { refusalsOf, requestsOf, trafficOf } from '../../../../test/support/clients/client-traffic.js';
import { longPrompts } from './long-prompts.js';

const MODELS = [{ id: 'svc-max', contextWindow: 9000 }];
const refused = (count: number, client = 'agent/1') =>
  refusalsOf(count, { reason: 'context_window_exceeded' }, { client });

describe('longPrompts', () => {
  it('names the window in the words of the client', () => {
    expect(longPrompts(trafficOf(refused(3)), MODELS)).toMatchObject([
      { cure: expect.stringContaining('9000 tokens') },
    ]);
    expect(
      ['codex_exec/0.94.0', 'claude-cli/2.1', 'agent/1'].map(
        (client) => longPrompts(trafficOf(refused(3, client)), MODELS)[0]?.line,
      ),
    ).toEqual(['model_context_window = 9000', 'CLAUDE_CODE_MAX_CONTEXT_TOKENS=9000', undefined]);
  });

  it('names no window that is only assumed', () => {
    const [found] = longPrompts(trafficOf(refused(3, 'codex')), [{ id: 'svc-max' }]);
    expect([found?.cure, found?.line]).toEqual([expect.not.stringContaining('tokens'), undefined]);
  });

  it('is not found where the client compacts its history, and is answered', () => {
    const compacted = requestsOf(9, (index) => ({ startedAt: (refused(9)[index]?.startedAt ?? 0) + 1 }));
    expect(longPrompts(trafficOf(refused(9), compacted), MODELS)).toEqual([]);
    expect(longPrompts(trafficOf(refused(2)), MODELS)).toEqual([]);
  });

  it('is not found where it is not known what was answered in between', () => {
    expect(longPrompts({ ...trafficOf(refused(9)), answeredSince: Infinity }, MODELS)).toEqual([]);
  });
});
