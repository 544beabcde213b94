import { type MarkedForm } from './marked-form.js';

/** Tags that are also around other things than calls. */
const GUESS_TAGS = ['tools', 'tool', 'action', 'call', 'function', 'response', 'json', 'JSON', 'xml'];

/** Forms of no single family of models. */
export const SHARED_FORMS: readonly MarkedForm[] = [
  {
    models: 'several, in brackets like those of a forum',
    examples: [
      '[call:f]{"a": 1}[/call]',
      '[tool_call]{"name": "f", "arguments": {"a": 1}}[/tool_call]',
      '[TOOL_CALL]{"name": "f", "arguments": {"a": 1}}[/TOOL_CALL]',
    ],
    openers: ['[call:', '[CALL:', '[tool_call:', '[tool_call]', '[TOOL_CALL]'],
    beforeArguments: [']'],
    closers: ['[/call]', '[/CALL]', '[/tool_call]', '[/TOOL_CALL]'],
  },
  {
    models: 'Qwen 3, as it repeats what clients make of its calls',
    examples: ['[Calling tool: f({"a": 1})]', '[Tool call: f({"a": 1})]'],
    openers: ['[Calling tool:', '[Tool call:'],
    end: ']',
    isLine: true,
  },
  {
    models: 'those that LM Studio prompts',
    examples: ['[TOOL_REQUEST]\n{"name": "f", "arguments": {"a": 1}}\n[END_TOOL_REQUEST]'],
    openers: ['[TOOL_REQUEST]'],
    closers: ['[END_TOOL_REQUEST]'],
  },
  {
    models:
      'Qwen 2.5 Coder and others, in the tags of the definitions that they were shown, of frameworks or of what it is',
    examples: [
      '<tools>\n{"name": "f", "arguments": {"a": 1}}\n</tools>',
      ...GUESS_TAGS.map((word) => `<${word}>{"name": "f", "arguments": {"a": 1}}</${word}>`),
    ],
    openers: GUESS_TAGS.map((word) => `<${word}>`),
    isGuess: true,
    closers: GUESS_TAGS.map((word) => `</${word}>`),
  },
  {
    models: 'several, whose turn ends behind a call in tags or JSON',
    examples: [
      '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call><|im_end|>',
      '[TOOL_CALLS]f[ARGS]{"a": 1}</s>',
      '<minimax:tool_call><invoke name="f"><parameter name="a">1</parameter></invoke></minimax:tool_call>[e~[',
    ],
    openers: [],
    closers: [
      ...['<|im_end|>', '</s>', '<|end_of_text|>', '<|endoftext|>', '<end_of_turn>', '<seed:eos>', '[e~['],
      ...[
        '<|END_OF_TURN_TOKEN|>',
        '✿RETURN✿:',
        '✿RETURN✿',
        '<|assistant_end|>',
        '<end_code>',
        '<end_action>',
      ],
    ],
  },
];
