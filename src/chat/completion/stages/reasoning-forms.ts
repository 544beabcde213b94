/** The markers by which a family of models tells its reasoning from its answer. */
export interface ReasoningMarkup {
  /** The models that write them. */
  readonly models: string;
  /** Markers in front of the reasoning. */
  readonly openers: readonly string[];
  /** The marker behind it. Alone at the beginning of an answer it ends reasoning that is empty. */
  readonly closer: string;
  /** Markers around the text of the answer; most models write none. Parts of both kinds may follow each other. */
  readonly answer?: { readonly openers: readonly string[]; readonly closers: readonly string[] };
}

function tag(models: string, word: string): ReasoningMarkup {
  return { models, openers: [`<${word}>`], closer: `</${word}>` };
}

/** A message of gpt-oss in a channel, with or without the role in front. */
function channel(name: string): string[] {
  return ['', '<|start|>assistant'].map((role) => `${role}<|channel|>${name}<|message|>`);
}

/** The header of a message of Muse Glimmer, with or without the role in front, which the prompt holds. */
function addressed(to: string): string[] {
  return ['', '<|start|>assistant '].map((role) => `${role}to=${to}<|message|>`);
}

/**
 * One entry for each form. Tags that prompts ask for, such as `<thinking>`, are no markers: whoever asks for them wants
 * to see them.
 */
export const REASONING_FORMS: readonly ReasoningMarkup[] = [
  tag('DeepSeek, Qwen, GLM and most others', 'think'),
  tag('Seed-OSS', 'seed:think'),
  tag('MiniMax M3', 'mm:think'),
  tag('LongCat', 'longcat_think'),
  tag('Hunyuan', 'think:opensource'),
  ...['ifm|think', 'ifm|think_fast', 'ifm|think_faster'].map((word) => tag(`K2 Horizon, ${word}`, word)),
  { models: 'Magistral', openers: ['[THINK]'], closer: '[/THINK]' },
  { models: 'Kimi 1.5', openers: ['◁think▷'], closer: '◁/think▷' },
  { models: 'Gemma 4', openers: ['<|channel>', '<|channel>thought\n'], closer: '<channel|>' },
  { models: 'Solar Open', openers: ['<|think:start|>'], closer: '<|think:end|>' },
  { models: 'Apertus', openers: ['<|inner_prefix|>'], closer: '<|inner_suffix|>' },
  { models: 'PLaMo 3', openers: ['<|plamo:begin_think:plamo|>'], closer: '<|plamo:end_think:plamo|>' },
  {
    models: 'Command A',
    openers: ['<|START_THINKING|>'],
    closer: '<|END_THINKING|>',
    answer: {
      openers: ['<|START_RESPONSE|>', '<|START_TEXT|>'],
      closers: ['<|END_RESPONSE|>', '<|END_TEXT|>'],
    },
  },
  {
    models: 'OpenThinker',
    openers: ['<|begin_of_thought|>'],
    closer: '<|end_of_thought|>',
    answer: { openers: ['<|begin_of_solution|>'], closers: ['<|end_of_solution|>'] },
  },
  {
    models: 'gpt-oss',
    openers: channel('analysis'),
    closer: '<|end|>',
    answer: {
      openers: ['final', 'final <|constrain|>json', 'commentary'].flatMap(channel),
      closers: ['<|return|>', '<|end|>'],
    },
  },
  {
    models: 'Muse Glimmer',
    openers: addressed('self'),
    closer: '<|eom|>',
    answer: { openers: addressed('user'), closers: ['<|eot|>', '<|eom|>'] },
  },
  {
    models: 'Inkling',
    openers: ['<|message_model|><|content_thinking|>', '<|content_thinking|>'],
    closer: '<|end_message|>',
    answer: {
      openers: ['<|message_model|><|content_text|>'],
      closers: ['<|end_message|>', '<|content_model_end_sampling|>'],
    },
  },
  {
    models: 'Kimi K3',
    openers: ['<|open|>think<|sep|>'],
    closer: '<|close|>think<|sep|>',
    answer: {
      openers: ['<|open|>response<|sep|>'],
      closers: ['<|close|>response<|sep|>', '<|close|>message<|sep|>'],
    },
  },
];
