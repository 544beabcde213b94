import { describe, expect, it } from '@jest/globals';
import { DeltaRecorder, feed } from '../../../../test/support/watch/delta-recorder.js';
import { OfferedTools } from '../calls/offered-tools.js';
import { ToolCallStage } from '../tool-call.stage.js';
import { MARKED_FORMS } from './marked-forms.js';
import { ACTION_FORM, CODE_FORM, NAME_LINE_FORM, PLAIN_FORM } from './plain-forms.js';

const parameters = { type: 'object', properties: { a: { type: 'integer' } } };
const tools = new OfferedTools([{ type: 'function', function: { name: 'f', parameters } }]);

describe.each([...MARKED_FORMS, PLAIN_FORM, CODE_FORM, NAME_LINE_FORM, ACTION_FORM])(
  'the form of $models',
  ({ examples }) => {
    it.each(examples)('reads %j as one call and nothing else', (example) => {
      const sink = new DeltaRecorder();
      const stage = new ToolCallStage(sink, {
        tools,
        isRequired: false,
        isParallel: true,
        nextId: () => 'call_1',
        onProblem: () => 'pass',
        end: sink.end,
      });
      feed(stage, [example]);
      const deltas = sink.pieces.flatMap(([kind, delta]) => (kind === 'toolCall' ? [delta] : []));
      expect(deltas.map((delta) => delta.name ?? '').join('')).toBe('f');
      expect(deltas.map((delta) => delta.arguments).join('')).toBe('{"a":1}');
      expect(sink.joined('text')).toBe('');
    });
  },
);
