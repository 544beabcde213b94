import { describe, expect, it } from '@jest/globals';
import { OutputRecorder } from '../../../test/support/watch/output-recorder.js';
import { AnswerWriter } from './answer-writer.js';

function written(isGuarded: boolean): { output: OutputRecorder; writer: AnswerWriter; firsts: number[] } {
  const output = new OutputRecorder();
  const firsts: number[] = [];
  const writer = new AnswerWriter(output, isGuarded, () => firsts.push(output.calls.length));
  return { output, writer, firsts };
}

describe('AnswerWriter', () => {
  it('commits when the upstream begins, and passes and remembers everything', () => {
    const { output, writer, firsts } = written(false);
    writer.upstreamBegan();
    expect([output.calls, firsts]).toEqual([[['begin']], []]);
    const delta = { index: 0, id: 'c1', name: 'f', arguments: '{}' };
    writer.reasoning('why');
    writer.text('so');
    writer.toolCall(delta);
    expect(output.calls).toEqual([['begin'], ['reasoning', 'why'], ['text', 'so'], ['toolCall', delta]]);
    expect(firsts).toEqual([1]);
    const { text, reasoning, toolCalls } = writer.answer;
    expect({ text, reasoning, names: toolCalls.map((call) => call.function.name) }).toEqual({
      text: 'so',
      reasoning: 'why',
      names: ['f'],
    });
  });

  it('numbers calls by the order of their beginning, whatever indices were left out', () => {
    const { output, writer } = written(false);
    const first = { index: 2, id: 'c2', name: 'f', arguments: '' };
    const second = { index: 7, id: 'c7', name: 'g', arguments: '{}' };
    writer.toolCall(first);
    writer.toolCall(second);
    writer.toolCall({ index: 2, arguments: '[]' });
    expect(output.calls.filter(([kind]) => kind === 'toolCall')).toEqual([
      ['toolCall', { ...first, index: 0 }],
      ['toolCall', { ...second, index: 1 }],
      ['toolCall', { index: 0, arguments: '[]' }],
    ]);
    expect(writer.answer.toolCalls).toEqual([
      { id: 'c2', type: 'function', function: { name: 'f', arguments: '[]' } },
      { id: 'c7', type: 'function', function: { name: 'g', arguments: '{}' } },
    ]);
  });

  it('holds a guarded answer back until its first text', () => {
    const { output, writer } = written(true);
    writer.upstreamBegan();
    writer.reasoning('a');
    writer.reasoning('b');
    expect(output.calls).toEqual([]);
    expect(writer.answer.isEmpty).toBe(true);
    writer.text('c');
    expect(output.calls).toEqual([['begin'], ['reasoning', 'a'], ['reasoning', 'b'], ['text', 'c']]);
  });

  it('lets reasoning flow once the output has committed by itself', () => {
    const { output, writer } = written(true);
    writer.reasoning('a');
    output.begin();
    writer.reasoning('b');
    expect(output.calls).toEqual([['begin'], ['reasoning', 'a'], ['reasoning', 'b']]);
  });

  it('knows nothing of reasoning that was dropped', () => {
    const { output, writer } = written(true);
    writer.reasoning('a');
    writer.drop();
    writer.reasoning('b');
    writer.releaseReasoning();
    expect(output.calls).toEqual([['begin'], ['reasoning', 'b']]);
    expect(writer.answer.reasoning).toBe('b');
  });
});
