import { expect, it } from '@jest/globals';
import { DeltaRecorder } from '../../../../test/support/watch/delta-recorder.js';
import { type Stage } from './stage.js';
import { WithoutReasoningStage } from './without-reasoning.stage.js';

it('drops reasoning and passes everything else', () => {
  const sink = new DeltaRecorder();
  const stage: Stage = new WithoutReasoningStage(sink);
  const delta = { index: 0, id: 'call_1', name: 'f', arguments: '{}' };
  stage.reasoning('why');
  stage.text('Because');
  stage.reasoning('not');
  stage.toolCall(delta);
  stage.refusal('No.');
  expect(sink.pieces).toEqual([
    ['text', 'Because'],
    ['toolCall', delta],
    ['refusal', 'No.'],
  ]);
});
