type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };
export type Call = readonly [name: string, values: Readonly<Record<string, Value>>];

/** The form in which a family of models writes calls. */
export interface Dialect {
  readonly write: (calls: readonly Call[]) => string;
  /** Whether nothing announces the calls, so that they count only at the beginning of an answer. */
  readonly isBare?: boolean;
  /** The token that ends a string wherever it stands, because nothing in it is escaped. */
  readonly quote?: string;
}

const json = JSON.stringify;
const raw = (value: Value): string => (typeof value === 'string' ? value : json(value));

/** Writes `open` before all calls and `close` behind them. */
function around(open: string, each: (call: Call, index: number) => string, close: string): Dialect['write'] {
  return (calls) => open + calls.map(each).join('') + close;
}

function invoke(
  namespace: string,
  attributes: (value: Value) => string = () => '',
  word = `${namespace}invoke`,
): (call: Call) => string {
  const parameter = ([key, value]: [string, Value]): string =>
    `<${namespace}parameter name="${key}"${attributes(value)}>${raw(value)}</${namespace}parameter>\n`;
  return ([name, values]) =>
    `<${word} name="${name}">\n${Object.entries(values).map(parameter).join('')}</${word}>\n`;
}

function tags(namespace: string, wrapper: string, attributes?: (value: Value) => string): Dialect {
  const open = `${namespace}${wrapper}>`;
  return { write: around(`<${open}\n`, invoke(namespace, attributes), `</${open}`) };
}

/** The attribute that declares whether a value is text. */
function kindOf(value: Value): string {
  return ` string="${typeof value === 'string'}"`;
}

function functionTags(wrapper: string): Dialect {
  const parameter = ([key, value]: [string, Value]): string =>
    `<parameter=${key}>${raw(value)}</parameter>\n`;
  return {
    write: (calls) =>
      calls
        .map(
          ([name, values]) =>
            `<${wrapper}>\n<function=${name}>\n${Object.entries(values).map(parameter).join('')}</function>\n</${wrapper}>`,
        )
        .join('\n'),
  };
}

/** Calls whose keys and values have tags of their own. */
function keyTags(
  prefix: string,
  lineBreak: string,
  { behindName = lineBreak, suffix = '', wrapper = `${prefix}tool_call` } = {},
): Dialect {
  const around = (word: string, content: string): string => `<${word}${suffix}>${content}</${word}${suffix}>`;
  const pair = ([key, value]: [string, Value]): string =>
    `${around(`${prefix}arg_key`, key)}${lineBreak}${around(`${prefix}arg_value`, raw(value))}${lineBreak}`;
  return {
    write: (calls) =>
      calls
        .map(([name, values]) =>
          around(wrapper, `${name}${behindName}${Object.entries(values).map(pair).join('')}`),
        )
        .join(lineBreak),
  };
}

function object([name, values]: Call, key = 'arguments'): string {
  return json({ name, [key]: values });
}

function objects(open: string, close: string, separator = '', key = 'arguments'): Dialect {
  return { write: (calls) => calls.map((call) => `${open}${object(call, key)}${close}`).join(separator) };
}

function list(open: string, close: string, key = 'arguments'): Dialect {
  return { write: (calls) => `${open}[${calls.map((call) => object(call, key)).join(', ')}]${close}` };
}

function literal(value: Value): string {
  if (value === null || typeof value === 'boolean') {
    return { null: 'None', true: 'True', false: 'False' }[String(value)]!;
  }
  if (typeof value !== 'object') {
    return json(value);
  }
  return Array.isArray(value)
    ? `[${value.map(literal).join(', ')}]`
    : `{${Object.entries(value)
        .map(([key, member]) => `${json(key)}: ${literal(member)}`)
        .join(', ')}}`;
}

function python(open: string, separator: string, close: string): Dialect {
  const call = ([name, values]: Call): string =>
    `${name}(${Object.entries(values)
      .map(([key, value]) => `${key}=${literal(value)}`)
      .join(', ')})`;
  return { write: (calls) => open + calls.map(call).join(separator) + close };
}

/** Calls with unquoted keys and with strings between two tokens. */
function bare(open: string, quote: string, close: string): Dialect {
  const write = (value: Value): string => {
    if (typeof value === 'string') {
      return quote + value + quote;
    }
    if (typeof value !== 'object' || value === null) {
      return json(value);
    }
    return Array.isArray(value) ? `[${value.map(write).join(',')}]` : object(value as Call[1]);
  };
  const object = (values: Call[1]): string =>
    `{${Object.entries(values)
      .map(([key, value]) => `${key}:${write(value)}`)
      .join(',')}}`;
  return {
    quote,
    write: (calls) => calls.map(([name, values]) => `${open}call:${name}${object(values)}${close}`).join(''),
  };
}

function inGroup({ write }: Dialect): Dialect['write'] {
  return (calls) => `<ifm|tool_calls>${write(calls)}</ifm|tool_calls>`;
}

const MINIMAX = ']<]minimax[>[';

/** The members of an object as elements; items of a list are called so. */
function nested(values: Call[1]): string {
  const content = (value: Value): string =>
    Array.isArray(value)
      ? value.map((item: Value) => element('item', item)).join('')
      : typeof value === 'object' && value !== null
        ? nested(value as Call[1])
        : raw(value);
  const element = (key: string, value: Value): string =>
    `${MINIMAX}<${key}>${content(value)}${MINIMAX}</${key}>`;
  return Object.entries(values)
    .map(([key, value]) => element(key, value))
    .join('');
}

function plamo(word: string): string {
  return `<|plamo:${word}:plamo|>`;
}

const channel = '<|channel|>commentary to=functions.';

/** One entry for each way in which a family of models writes calls; `cases/dialects.ts` runs all cases on each. */
export const DIALECTS: Readonly<Record<string, Dialect>> = {
  'Hermes, Qwen': objects('<tool_call>\n', '\n</tool_call>', '\n'),
  'Qwen3-Coder': functionTags('tool_call'),
  'Seed-OSS': functionTags('seed:tool_call'),
  'GLM 4.5': keyTags('', '\n'),
  'GLM 4.7': keyTags('', ''),
  LongCat: keyTags('longcat_', '\n'),
  'Hunyuan, with keys': keyTags('', '\n', { behindName: '<tool_sep>\n' }),
  'Hunyuan 4': {
    write: (calls) =>
      `<tool_calls:6124c78e>\n${keyTags('', '', { suffix: ':6124c78e' }).write(calls)}\n</tool_calls:6124c78e>`,
  },
  Inkling: objects('<|message_model|><|content_invoke_tool_json|>', '<|end_message|>', '', 'args'),
  Hunyuan: {
    write: around(
      '<tool_calls>',
      ([name, values]) => `<tool_call>${name}\n\`\`\`json\n${json(values)}\n\`\`\`</tool_call>`,
      '</tool_calls>',
    ),
  },
  Anthropic: tags('', 'function_calls'),
  'Anthropic, with a namespace': tags(['an', 'tml:'].join(''), 'function_calls'),
  'MiniMax M2': tags('', 'minimax:tool_call'),
  'DeepSeek V3.2': tags('｜DSML｜', 'function_calls', kindOf),
  'DeepSeek V4': tags('｜DSML｜', 'tool_calls', kindOf),
  'DeepSeek V4, with plain bars': tags('|DSML|', 'tool_calls', kindOf),
  'DeepSeek V4.1': tags('｜DSML｜ ', 'tool_calls', kindOf),
  'DeepSeek V3.1': {
    write: around(
      '<｜tool▁calls▁begin｜>',
      ([name, values]) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${json(values)}<｜tool▁call▁end｜>`,
      '<｜tool▁calls▁end｜>',
    ),
  },
  'DeepSeek V3 and R1': {
    write: around(
      '<｜tool▁calls▁begin｜>',
      ([name, values], index) =>
        `${index > 0 ? '\n' : ''}<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${json(values)}\n\`\`\`<｜tool▁call▁end｜>`,
      '<｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    ),
  },
  'Step 3': {
    write: around(
      '<｜tool_calls_begin｜>',
      (call) => `<｜tool_call_begin｜>function<｜tool_sep｜>${invoke('steptml:')(call)}<｜tool_call_end｜>`,
      '<｜tool_calls_end｜>',
    ),
  },
  'Kimi K2': {
    write: around(
      '<|tool_calls_section_begin|>',
      ([name, values], index) =>
        `<|tool_call_begin|>functions.${name}:${index} <|tool_call_argument_begin|>${json(values)}<|tool_call_end|>`,
      '<|tool_calls_section_end|>',
    ),
  },
  'gpt-oss': {
    write: (calls) =>
      calls
        .map(([name, values]) => `${channel}${name} <|constrain|>json<|message|>${json(values)}<|call|>`)
        .join('<|start|>assistant'),
  },
  'gpt-oss, with the role': {
    write: around(
      '',
      ([name, values]) =>
        `<|start|>assistant to=functions.${name}<|channel|>commentary json<|message|>${json(values)}<|call|>`,
      '',
    ),
  },
  'gpt-oss, without a kind': {
    write: around('', ([name, values]) => `${channel}${name}<|message|>${json(values)}<|call|>`, ''),
  },
  'Mistral, a list': list('[TOOL_CALLS]', ''),
  'Mistral, by name': {
    write: around('', ([name, values]) => `[TOOL_CALLS]${name}[ARGS]${json(values)}`, ''),
  },
  'Mistral, by name and id': {
    write: around('', ([name, values]) => `[TOOL_CALLS]${name}[CALL_ID]a1B2c3D4e[ARGS]${json(values)}`, ''),
  },
  'Llama 3': {
    write: (calls) => `<|python_tag|>${calls.map((call) => object(call, 'parameters')).join('; ')}<|eom_id|>`,
  },
  'Llama 3, bare': { ...objects('', '', '\n', 'parameters'), isBare: true },
  'Llama 4': python('<|python_start|>[', ', ', ']<|python_end|>'),
  'Llama 4, bare': { ...python('[', ', ', ']'), isBare: true },
  'Granite 3': list('<|tool_call|>', ''),
  'Granite, each by itself': objects('<function_call>', '</function_call>', '\n'),
  'LFM 2': python('<|tool_call_start|>[', ', ', ']<|tool_call_end|>'),
  'Olmo 3': python('<function_calls>', '\n', '</function_calls>'),
  'Gemma 3': python('```tool_code\n', '\n', '\n```'),
  'Gemma 3, JSON': objects('```json\n', '\n```', '\n', 'parameters'),
  'Gemma 3, printed': {
    write: (calls) =>
      `\`\`\`tool_code\n${calls.map((call) => `print(default_api.${python('', '', '').write([call])})`).join('\n')}\n\`\`\``,
  },
  'Gemma 4': bare('<|tool_call>', '<|"|>', '<tool_call|>'),
  FunctionGemma: bare('<start_function_call>', '<escape>', '<end_function_call>'),
  'Phi 4': { ...list('functools', ''), isBare: true },
  InternLM: objects('<|action_start|><|plugin|>\n', '<|action_end|>', '', 'parameters'),
  'Command R7B': list('<|START_ACTION|>', '<|END_ACTION|>', 'parameters'),
  Apertus: {
    write: around(
      '<|tools_prefix|>[',
      ([name, values], index) => (index > 0 ? ', ' : '') + json({ [name]: values }),
      ']<|tools_suffix|>',
    ),
  },
  'LM Studio': objects('[TOOL_REQUEST]\n', '\n[END_TOOL_REQUEST]', '\n'),
  'Claude 2': {
    write: around(
      '<function_calls>\n',
      ([name, values]) =>
        `<invoke>\n<tool_name>${name}</tool_name>\n<parameters>\n${Object.entries(values)
          .map(([key, value]) => `<${key}>${raw(value)}</${key}>\n`)
          .join('')}</parameters>\n</invoke>\n`,
      '</function_calls>',
    ),
  },
  'DeepSeek V3.1, with plain bars': {
    write: around(
      '<|tool▁calls▁begin|>',
      ([name, values]) => `<|tool▁call▁begin|>${name}<|tool▁sep|>${json(values)}<|tool▁call▁end|>`,
      '<|tool▁calls▁end|>',
    ),
  },
  'GigaChat 3.5': tags('｜GCML｜', 'tool_calls', kindOf),
  'Muse Glimmer': tags('atem:', 'function_calls'),
  'dots, with tags': {
    write: around('<dots_function_call>', invoke(''), '</dots_function_call>'),
  },
  'dots, with JSON': objects('<dots_function_call>', '</dots_function_call>'),
  'K2 Horizon': { write: inGroup(keyTags('ifm|', '')) },
  'K2 Horizon, JSON': { write: inGroup(objects('<ifm|tool_call>', '</ifm|tool_call>', '\n')) },
  'PLaMo 3': {
    write: around(
      plamo('begin_tool_requests'),
      ([name, values]) =>
        `${plamo('begin_tool_request')}${plamo('begin_tool_name')}${name}${plamo('end_tool_name')}` +
        `${plamo('begin_tool_arguments')}<|plamo:constrain|>json<|plamo:msg|>${json(values)}` +
        `${plamo('end_tool_arguments')}${plamo('end_tool_request')}`,
      `${plamo('end_tool_requests')}<|plamo:tag|>`,
    ),
  },
  'GigaChat 3': objects('<|function_call|>', '</s>'),
  'GigaChat 3, as a message': objects('<|message_sep|>\n\nfunction call<|role_sep|>\n', '</s>'),
  'HyperCLOVA X': { ...list(' -> tool/function_call\n', '<|im_end|>'), isBare: true },
  'Step Audio 2': {
    write: around('', ([name, values]) => `<tool_call>function\n${name}\n${json(values)}</tool_call>`, ''),
  },
  'gpt-oss, behind a prompt with the role': {
    write: around(
      '',
      ([name, values], index) =>
        `${index > 0 ? '<|start|>assistant' : ''} to=functions.${name}<|channel|>commentary json<|message|>${json(values)}<|call|>`,
      '',
    ),
    isBare: true,
  },
  'Gemma 4, with a colon too many': bare('<|tool_call>:', '<|"|>', '<tool_call|>'),
  'MiniMax M3': {
    quote: MINIMAX,
    write: around(
      `${MINIMAX}<tool_call>\n`,
      ([name, values]) => `${MINIMAX}<invoke name="${name}">${nested(values)}${MINIMAX}</invoke>\n`,
      `${MINIMAX}</tool_call>`,
    ),
  },
  'Kimi K3': {
    quote: '<|sep|>',
    write: around(
      '<|open|>tools<|sep|>',
      ([name, values], index) =>
        `<|open|>call tool="${name}" index="${index + 1}"<|sep|>${Object.entries(values)
          .map(
            ([key, value]) =>
              `<|open|>argument key="${key}" type="${typeof value}"<|sep|>${raw(value)}<|close|>argument<|sep|>`,
          )
          .join('')}<|close|>call<|sep|>`,
      '<|close|>tools<|sep|><|close|>message<|sep|>',
    ),
  },
  'Solar Open': {
    quote: '<|tool_arg:end|>',
    write: (calls) =>
      calls
        .map(
          ([name, values]) =>
            `<|tool_call:start|>${name}\n${Object.entries(values)
              .map(
                ([key, value]) => `<|tool_arg:start|>${key}<|tool_arg:value|>${raw(value)}<|tool_arg:end|>\n`,
              )
              .join('')}<|tool_call:end|>`,
        )
        .join('\n'),
  },
  'Functionary 3': { write: around('', ([name, values]) => `>>>${name}\n${json(values)}`, '') },
  'Functionary 2': {
    write: around(
      '',
      ([name, values]) => `<|from|>assistant\n<|recipient|>${name}\n<|content|>${json(values)}<|stop|>\n`,
      '',
    ),
  },
  Pangu: list('[unused11]', '[unused12]'),
  'GLM 5.3 Flash': {
    write: around('', ([name, values]) => `<tool_call>${name}>${json(values)}</tool_call>`, ''),
  },
  Grok: { write: around('', invoke('', undefined, 'xai:function_call'), '') },
  'IQuest Q1': keyTags('', '', { wrapper: 'iquest_tool_call' }),
  'Nemotron, Jamba': list('<TOOLCALL>', '</TOOLCALL>'),
};
