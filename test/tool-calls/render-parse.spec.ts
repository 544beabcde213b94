import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ToolDefinition } from '../../src/chat/interfaces/tool-definition.js';
import { OfferedTools } from '../../src/chat/tools/calls/offered-tools.js';
import { renderToolCall } from '../../src/chat/tools/contract/render-tool-call.js';
import { ToolCallStage } from '../../src/chat/tools/tool-call.stage.js';
import { chunkingOf, DeltaRecorder, feed } from '../support/watch/delta-recorder.js';

interface Parameter {
  readonly key: string;
  readonly schema: object;
  readonly value: unknown;
}

/** Text with lines, indentation, quotes, markup and other things that values hold. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        ...[
          '\n',
          '\r\n',
          '\r',
          '  ',
          '\t',
          'a',
          '"',
          "'",
          '\\',
          '`',
          '```\n',
          '😀',
          '{',
          '}',
          '[1]',
          'null',
          '5',
        ],
        ...[
          '</parameter>',
          '<parameter=content>',
          '</function>',
          '<function=f>',
          '</tool_call>',
          '<tool_call>',
        ],
        ...['<', '</', '&lt;', '{"name":"f","arguments":{}}', '</par', '<|python_tag|>', '<tool_response>'],
      ),
      { maxLength: 8 },
    )
    .map((words) => words.join('')),
);

const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((one) => one !== 0),
);
const any = fc.jsonValue({ maxDepth: 2 });

/** A schema and a value that conforms to it. */
const typed: fc.Arbitrary<Omit<Parameter, 'key'>> = fc.oneof(
  text.map((value) => ({ schema: { type: 'string' }, value })),
  fc.integer().map((value) => ({ schema: { type: 'integer' }, value })),
  number.map((value) => ({ schema: { type: 'number' }, value })),
  fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
  fc.option(text).map((value) => ({ schema: { type: ['string', 'null'] }, value })),
  fc
    .oneof(text, number)
    .map((value) => ({ schema: { anyOf: [{ type: 'string' }, { type: 'number' }] }, value })),
  fc.constantFrom('a', 'B c', 'null').map((value) => ({ schema: { enum: ['a', 'B c', 'null'] }, value })),
  fc
    .array(text, { maxLength: 3 })
    .map((value) => ({ schema: { type: 'array', items: { type: 'string' } }, value })),
  fc
    .record({ old: text, at: fc.integer() })
    .map((value) => ({ schema: { type: 'object', properties: { old: { type: 'string' } } }, value })),
  any.map((value) => ({ schema: {}, value })),
);

const key = fc.oneof(fc.stringMatching(/^[a-z_]{1,12}$/), fc.string({ minLength: 1, maxLength: 6 }));
const parameters = fc.uniqueArray(
  fc.tuple(key, typed).map(([name, rest]) => ({ key: name, ...rest })),
  { selector: (one) => one.key, maxLength: 4 },
);

function toolOf(known: readonly Parameter[]): ToolDefinition {
  const properties = Object.fromEntries(known.map((one) => [one.key, one.schema]));
  return { type: 'function', function: { name: 'f', parameters: { type: 'object', properties } } };
}

describe('renderToolCall and ToolCallStage', () => {
  it('read a rendered call back unchanged at any chunking', () => {
    const rendered = parameters.chain((all) => {
      const args = JSON.stringify(Object.fromEntries(all.map((one) => [one.key, one.value])));
      const tool = toolOf(all);
      const tools = new OfferedTools([tool]);
      const whole = renderToolCall({ name: 'f', arguments: args }, tools.resolve('f')?.schema);
      return fc.tuple(fc.constant({ args, tools }), chunkingOf(whole));
    });
    fc.assert(
      fc.property(rendered, fc.boolean(), ([{ args, tools }, pieces], isFollowed) => {
        const sink = new DeltaRecorder();
        const stage = new ToolCallStage(sink, {
          tools,
          isRequired: false,
          isParallel: true,
          nextId: () => 'call_1',
          onProblem: () => 'pass',
          end: sink.end,
        });
        feed(stage, ['Text.\n', ...pieces, ...(isFollowed ? ['\nMore.'] : [])]);
        const deltas = sink.pieces.flatMap(([kind, delta]) => (kind === 'toolCall' ? [delta] : []));
        expect(deltas.map((delta) => delta.name ?? '').join()).toMatch(/^f,*$/);
        expect(JSON.parse(deltas.map((delta) => delta.arguments).join(''))).toEqual(JSON.parse(args));
        expect({ text: sink.joined('text'), reasons: sink.reasons }).toEqual({
          text: isFollowed ? 'Text.\nMore.' : 'Text.',
          reasons: [],
        });
      }),
      { numRuns: 1000 },
    );
  });
});
