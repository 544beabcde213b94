import { describe, expect, it } from '@jest/globals';
import { type EchoAction, echoAction, type EchoSituation } from './echo-policy.js';

type Setting = EchoSituation['setting'];
const BOTH = [true, false];

function actions(setting: Setting, isRetryingClient: boolean, isCommitted: boolean): EchoAction[] {
  return [0, 1, 2, 3].map((corrections) =>
    echoAction({ setting, isRetryingClient, isCommitted, corrections }),
  );
}

describe('echoAction', () => {
  it('drops the connection of a retrying library once, and regenerates from then on', () => {
    expect(actions('auto', true, false)).toEqual(['drop', 'regenerate', 'pass', 'pass']);
  });

  it('regenerates for all other callers', () => {
    expect(actions('auto', false, false)).toEqual(['regenerate', 'regenerate', 'pass', 'pass']);
  });

  it.each(BOTH)('follows the setting, whether the client retries or not (%s)', (isRetryingClient) => {
    expect(actions('drop', isRetryingClient, false)).toEqual(['drop', 'drop', 'pass', 'pass']);
    expect(actions('regenerate', isRetryingClient, false)).toEqual([
      'regenerate',
      'regenerate',
      'pass',
      'pass',
    ]);
    expect(actions('off', isRetryingClient, false)).toEqual(['pass', 'pass', 'pass', 'pass']);
  });

  it.each(['auto', 'drop', 'regenerate'] as const)(
    'never drops a response that has begun (%s)',
    (setting) => {
      for (const isRetryingClient of BOTH) {
        expect(actions(setting, isRetryingClient, true)).toEqual([
          'regenerate',
          'regenerate',
          'pass',
          'pass',
        ]);
      }
    },
  );
});
