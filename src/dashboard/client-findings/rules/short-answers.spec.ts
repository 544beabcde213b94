import { describe, expect, it } from '@jest/globals';
import { requestsOf, trafficOf } from '../../../../test/support/clients/client-traffic.js';
import { cutNote } from '../../../logs/cut-note.js';
import { shortAnswers } from './short-answers.js';

const NOTE = cutNote(1000);
const cut = (count: number, notes: readonly string[]) =>
  trafficOf([], requestsOf(count, { finishReason: 'length', notes }));

describe('shortAnswers', () => {
  it('are found where the default of the gateway has cut them', () => {
    expect(shortAnswers(cut(3, ['Another note.', NOTE]))).toMatchObject([
      { symptom: expect.stringContaining('1000 tokens'), line: 'DEFAULT_MAX_TOKENS=65536' },
    ]);
  });

  it('are not found where it happened twice, or a limit of the client did it', () => {
    expect([...shortAnswers(cut(2, [NOTE])), ...shortAnswers(cut(9, ['Another note.']))]).toEqual([]);
  });
});
