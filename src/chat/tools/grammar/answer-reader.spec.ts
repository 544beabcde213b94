import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { DeltaRecorder } from '../../../../test/support/watch/delta-recorder.js';
import { OfferedTools } from '../calls/offered-tools.js';
import { NotACallError } from '../text/parse-errors.js';
import { ToolCallStage } from '../tool-call.stage.js';
import { CallForms } from './call-forms.js';

describe('AnswerReader', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('goes on behind a form that reads nothing and refuses', () => {
    // eslint-disable-next-line require-yield -- It stands for a parser that need not wait.
    jest.spyOn(CallForms.prototype, 'tagged').mockImplementation(function* () {
      throw new NotACallError();
    });
    const sink = new DeltaRecorder();
    const stage = new ToolCallStage(sink, {
      tools: new OfferedTools([{ type: 'function', function: { name: 'ping' } }]),
      isRequired: false,
      isParallel: true,
      nextId: () => 'call_1',
      onProblem: () => 'pass',
      end: sink.end,
    });
    stage.text('a <tool_call>b');
    stage.flush();
    expect(sink.joined('text')).toBe('a <tool_call>b');
  });
});
