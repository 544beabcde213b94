import { KIMI_K3, MINIMAX, MINIMAX_M3, SOLAR_OPEN } from './delimited-forms.js';
import { type MarkedForm } from './marked-form.js';
import { SHARED_FORMS } from './shared-forms.js';

/**
 * A token of DeepSeek, which writes full-width bars and low lines: `tool calls begin` is `<｜tool▁calls▁begin｜>`. Models
 * that learned it from documents write plain bars, or other signs between the words, as Step 3 does.
 */
const deepSeek = (words: string): readonly string[] => [
  ...['▁', '_', ' ', '\\_'].map((sign) => `<｜${words.replaceAll(' ', sign)}｜>`),
  `<|${words.replaceAll(' ', '▁')}|>`,
];

const KIMI_WORDS = ['tool_calls_section', 'tool_call_section', 'tool_calls', 'tool_call'];

/** A marker of PLaMo, which is no token of its own. */
const plamo = (word: string): string => `<|plamo:${word}:plamo|>`;

const HYPER_CLOVA = ['<|im_end|>\n<|im_start|>assistant ', '<|im_start|>assistant ', ''].map(
  (turn) => `${turn}-> tool/function_call`,
);

/** A word between two markers: the id of a call, a channel, a content type. */
const WORD = /\w*:?/y;

/** One entry for each family; the first whose opener matches is taken. */
export const MARKED_FORMS: readonly MarkedForm[] = [
  {
    models: 'Mistral',
    examples: [
      '[TOOL_CALLS][{"name": "f", "arguments": {"a": 1}}]',
      '[TOOL_CALLS]f[ARGS]{"a": 1}',
      '[TOOL_CALLS]f[CALL_ID]a1B2c3D4e[ARGS]{"a": 1}',
    ],
    openers: ['[TOOL_CALLS]:', '[TOOL_CALLS]'],
    beforeArguments: ['[CALL_ID]', WORD, '[ARGS]'],
    closers: ['[/TOOL_CALLS]'],
  },
  {
    models: 'Llama 3, Llama 4',
    examples: [
      '<|python_tag|>{"name": "f", "parameters": {"a": 1}}<|eom_id|>',
      '<|python_start|>[f(a=1)]<|python_end|>',
    ],
    openers: ['<|python_tag|>', '<|python_start|>'],
    closers: ['<|python_end|>', '<|eom_id|>', '<|eot_id|>', '<|eot|>'],
  },
  {
    models: 'Functionary 2, where a call is a message to a function',
    examples: ['<|from|>assistant\n<|recipient|>f\n<|content|>{"a": 1}<|stop|>'],
    openers: ['<|from|>assistant\n<|recipient|>', '<|recipient|>'],
    beforeArguments: ['<|content|>'],
    closers: ['<|stop|>'],
  },
  {
    models: 'Granite 3, LFM 2, Pangu, Command R7B',
    examples: [
      '<|tool_call|>[{"name": "f", "arguments": {"a": 1}}]',
      '<|tool_call_start|>[f(a=1)]<|tool_call_end|>',
      '[unused11][{"name": "f", "arguments": {"a": 1}}][unused12]',
      '<|START_ACTION|>[{"tool_name": "f", "parameters": {"a": 1}}]<|END_ACTION|>',
    ],
    openers: ['<|tool_call|>', '<|tool_call_start|>', '[unused11]', '<|START_ACTION|>'],
    closers: ['<|/tool_call|>', '<|tool_call_end|>', '[unused12]', '<|END_ACTION|>'],
  },
  {
    models: 'DeepSeek R1, V3 and V3.1; Step 3, with tags between the tokens',
    examples: [
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"a": 1}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      '<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{"a": 1}\n```<｜tool▁call▁end｜><｜end▁of▁sentence｜>',
      '<|tool▁calls▁begin|><|tool▁call▁begin|>f<|tool▁sep|>{"a": 1}<|tool▁call▁end|><|tool▁calls▁end|>',
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>' +
        '<steptml:invoke name="f"><steptml:parameter name="a">1</steptml:parameter></steptml:invoke>' +
        '<｜tool_call_end｜><｜tool_calls_end｜>',
    ],
    openers: ['tool calls begin', 'tool call begin'].flatMap(deepSeek),
    beforeName: deepSeek('tool sep').map((token) => `function${token}`),
    beforeArguments: deepSeek('tool sep'),
    closers: ['tool call end', 'tool calls end', 'end of sentence'].flatMap(deepSeek),
  },
  {
    models: 'Kimi K2, and DeepSeek in plain signs',
    examples: [
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0 <|tool_call_argument_begin|>{"a": 1}' +
        '<|tool_call_end|><|tool_calls_section_end|>',
      '<|tool_call_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"a": 1}' +
        '<|tool_call_end|><|tool_call_section_end|>',
      '<|tool_calls_begin|><|tool_call_begin|>f<|tool_sep|>{"a": 1}<|tool_call_end|><|tool_calls_end|>',
    ],
    openers: KIMI_WORDS.map((word) => `<|${word}_begin|>`),
    beforeName: ['function<|tool_sep|>'],
    beforeArguments: ['<|tool_call_argument_begin|>', '<|tool_sep|>'],
    closers: [...KIMI_WORDS, 'tool_call_argument'].map((word) => `<|${word}_end|>`),
  },
  {
    models: 'Inkling, where a call is a message with a kind of content',
    examples: [
      '<|message_model|><|content_invoke_tool_json|>{"name": "f", "args": {"a": 1}}<|end_message|>',
      '<|content_invoke_tool_json|>{"name": "f", "args": {"a": 1}}<|end_message|><|content_model_end_sampling|>',
    ],
    openers: ['<|message_model|><|content_invoke_tool_json|>', '<|content_invoke_tool_json|>'],
    closers: ['<|end_message|>', '<|content_model_end_sampling|>'],
  },
  {
    models: 'gpt-oss, Muse Glimmer, where a call is a message to a function',
    examples: [
      '<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>',
      '<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{"a": 1}<|call|>',
      'to=functions.f<|channel|>commentary json<|message|>{"a": 1}<|call|>',
      ' to=f<|message|><atem:invoke name="f"><atem:parameter name="a">1</atem:parameter></atem:invoke><|eot|>',
      '<|message|><atem:invoke name="f"><atem:parameter name="a">1</atem:parameter></atem:invoke><|eom|>',
    ],
    openers: [
      '<|start|>assistant',
      '<|channel|>',
      'commentary to=functions.',
      'to=functions.',
      'to=',
      '<|message|>',
    ],
    isAddressed: true,
    beforeName: ['commentary', 'analysis', 'to='],
    beforeArguments: ['<|channel|>', WORD, '<|constrain|>', WORD, '<|message|>'],
    closers: [
      '<|call|>',
      '<|start|>assistant<|channel|>final<|message|>',
      '<|end|>',
      '<|return|>',
      '<|eom|>',
    ],
  },
  {
    models: 'Gemma 4',
    examples: ['<|tool_call>call:f{a:1}<tool_call|><turn|>', 'call:f{a:1}'],
    openers: ['<|tool_call>', 'call:'],
    beforeName: [':', 'call:'],
    closers: ['<tool_call|>', '<turn|>'],
  },
  {
    models: 'FunctionGemma',
    examples: ['<start_function_call>call:f{a:1}<end_function_call>'],
    openers: ['<start_function_call>'],
    beforeName: ['call:'],
    closers: ['<end_function_call>'],
  },
  {
    models: 'PLaMo 3',
    examples: [
      '<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|>' +
        '<|plamo:begin_tool_name:plamo|>f<|plamo:end_tool_name:plamo|>' +
        '<|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"a": 1}' +
        '<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>',
    ],
    openers: ['begin_tool_requests', 'begin_tool_request'].map(plamo),
    beforeName: [plamo('begin_tool_name')],
    beforeArguments: [
      ...['end_tool_name', 'begin_tool_arguments'].map(plamo),
      ...['<|plamo:constrain|>', WORD, '<|plamo:msg|>'],
    ],
    closers: [...['end_tool_arguments', 'end_tool_request', 'end_tool_requests'].map(plamo), '<|plamo:tag|>'],
  },
  {
    models: 'MiniMax M3',
    examples: [
      ['<tool_call>', '<invoke name="f">', '<a>1', '</a>', '</invoke>', '</tool_call>']
        .map((tag) => MINIMAX + tag)
        .join(''),
    ],
    openers: [MINIMAX_M3.opener],
    delimited: MINIMAX_M3,
    closers: [`${MINIMAX}</tool_call>`],
  },
  {
    models: 'Kimi K3',
    examples: [
      '<|open|>tools<|sep|><|open|>call tool="f" index="1"<|sep|>' +
        '<|open|>argument key="a" type="number"<|sep|>1<|close|>argument<|sep|>' +
        '<|close|>call<|sep|><|close|>tools<|sep|>',
      '<|open|>call tool="f" index="1"<|sep|><|open|>json type="object"<|sep|>{"a": 1}<|close|>json<|sep|><|close|>call<|sep|>',
    ],
    openers: [KIMI_K3.opener, KIMI_K3.call.begin],
    delimited: KIMI_K3,
    closers: ['<|close|>tools<|sep|>', '<|close|>message<|sep|>', '<|end_of_msg|>'],
  },
  {
    models: 'Solar Open',
    examples: [
      '<|tool_call:start|>f\n<|tool_arg:start|>a<|tool_arg:value|>1<|tool_arg:end|>\n<|tool_call:end|>',
    ],
    openers: [SOLAR_OPEN.call.begin],
    delimited: SOLAR_OPEN,
  },
  {
    models: 'GigaChat 3',
    examples: [
      '<|function_call|>{"name": "f", "arguments": {"a": 1}}',
      '<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "f", "arguments": {"a": 1}}',
    ],
    openers: ['<|function_call|>', '<|message_sep|>\n\nfunction call<|role_sep|>'],
  },
  {
    models: 'HyperCLOVA X, where a call is a turn',
    examples: HYPER_CLOVA.map((head) => `${head}\n[{"name": "f", "arguments": {"a": 1}}]`),
    openers: HYPER_CLOVA,
  },
  {
    models: 'InternLM',
    examples: ['<|action_start|><|plugin|>\n{"name": "f", "parameters": {"a": 1}}<|action_end|>'],
    openers: ['<|action_start|>', '<|plugin|>'],
    closers: ['<|action_end|>'],
  },
  {
    models: 'Qwen 2, as Qwen-Agent prompts it',
    examples: ['✿FUNCTION✿: f\n✿ARGS✿: {"a": 1}\n✿RETURN✿'],
    openers: ['✿FUNCTION✿:'],
    beforeArguments: ['✿ARGS✿:'],
  },
  {
    models: 'Phi 4',
    examples: ['functools[{"name": "f", "arguments": {"a": 1}}]'],
    openers: ['functools'],
  },
  {
    models: 'Apertus, with the name as a key',
    examples: ['<|tools_prefix|>[{"f": {"a": 1}}]<|tools_suffix|>'],
    openers: ['<|tools_prefix|>'],
    closers: ['<|tools_suffix|>'],
  },
  ...SHARED_FORMS,
];
