import { describe, expect, it } from '@jest/globals';
import { DeltaRecorder, everyChunking, feed } from '../../../../test/support/watch/delta-recorder.js';
import { REASONING_FORMS } from './reasoning-forms.js';
import { ReasoningSplitterStage } from './reasoning-splitter.stage.js';

function split(pieces: readonly string[]): readonly [reasoning: string, text: string] {
  const sink = new DeltaRecorder();
  feed(new ReasoningSplitterStage(sink), pieces);
  return [sink.joined('reasoning'), sink.joined('text')];
}

/** Answers as models write them, their reasoning and their text. */
const ANSWERS: Readonly<Record<string, readonly [answer: string, reasoning: string, text: string]>> = {
  Magistral: ['[THINK]why[/THINK]Because', 'why', 'Because'],
  'Magistral, in front of a call': ['[THINK]why[/THINK][TOOL_CALLS]f{}', 'why', '[TOOL_CALLS]f{}'],
  'Seed-OSS': ['<seed:think>why</seed:think>\nBecause', 'why', 'Because'],
  'Kimi 1.5': ['◁think▷why◁/think▷Because', 'why', 'Because'],
  LongCat: ['<longcat_think>\nwhy\n</longcat_think>Because', 'why\n', 'Because'],
  'Hunyuan, without a block': ['</think:opensource>Because', '', 'Because'],
  'K2 Horizon': ['<ifm|think_fast>why</ifm|think_fast>Because', 'why', 'Because'],
  'MiniMax M3': ['<mm:think>why</mm:think>Because', 'why', 'Because'],
  'MiniMax M3, without a block': ['</mm:think>Because', '', 'Because'],
  'a prompt with an empty block': ['</think>\n\nBecause', '', 'Because'],
  'Gemma 4': ['<|channel>thought\nwhy\n<channel|>Because', 'why\n', 'Because'],
  'Gemma 4, an empty block': ['<|channel>thought\n<channel|>Because', '', 'Because'],
  'Gemma 4, without its label': [
    '<|channel>thousand reasons<channel|>Because',
    'thousand reasons',
    'Because',
  ],
  'Solar Open': ['<|think:start|>why<|think:end|>Because', 'why', 'Because'],
  Apertus: ['<|inner_prefix|>why<|inner_suffix|>Because', 'why', 'Because'],
  'Apertus, in front of calls': [
    '<|inner_prefix|>why<|inner_suffix|><|tools_prefix|>[]',
    'why',
    '<|tools_prefix|>[]',
  ],
  'PLaMo 3': ['<|plamo:begin_think:plamo|>why<|plamo:end_think:plamo|>Because', 'why', 'Because'],
  'Command A': [
    '<|START_THINKING|>why<|END_THINKING|>\n<|START_RESPONSE|>Because<|END_RESPONSE|>',
    'why',
    'Because',
  ],
  'Command A, without an end': [
    '<|START_THINKING|>why<|END_THINKING|><|START_TEXT|>Because',
    'why',
    'Because',
  ],
  'Command A, in front of calls': [
    '<|START_THINKING|>why<|END_THINKING|><|START_ACTION|>[]<|END_ACTION|>',
    'why',
    '<|START_ACTION|>[]<|END_ACTION|>',
  ],
  OpenThinker: [
    '<|begin_of_thought|>why<|end_of_thought|>\n\n<|begin_of_solution|>Because<|end_of_solution|>',
    'why',
    'Because',
  ],
  'gpt-oss': [
    '<|channel|>analysis<|message|>why<|end|><|start|>assistant<|channel|>final<|message|>Because<|return|>',
    'why',
    'Because',
  ],
  'gpt-oss, with a kind of content': [
    '<|channel|>analysis<|message|>why<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>{}',
    'why',
    '{}',
  ],
  'gpt-oss, without reasoning': ['<|channel|>final<|message|>Because', '', 'Because'],
  'gpt-oss, with two thoughts': [
    '<|channel|>analysis<|message|>why<|end|><|start|>assistant<|channel|>analysis<|message|>so<|end|><|start|>assistant<|channel|>final<|message|>Because',
    'why\n\nso',
    'Because',
  ],
  'gpt-oss, with a word in front of a call': [
    '<|channel|>analysis<|message|>why<|end|><|start|>assistant<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.f<|message|>{}<|call|>',
    'why',
    'I look.<|start|>assistant<|channel|>commentary to=functions.f<|message|>{}<|call|>',
  ],
  'gpt-oss, with a word in front of its answer': [
    '<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>analysis<|message|><|end|><|start|>assistant<|channel|>final<|message|>Because',
    '',
    'I look.\n\nBecause',
  ],
  'gpt-oss, a call alone': [
    '<|channel|>analysis to=functions.f<|message|>{"a": "<|end|>"}',
    '',
    '<|channel|>analysis to=functions.f<|message|>{"a": "<|end|>"}',
  ],
  'gpt-oss, which tells of a token': [
    '<|channel|>final<|message|>A message ends with <|end|> or <|return|>.<|return|>',
    '',
    'A message ends with <|end|> or <|return|>.',
  ],
  'gpt-oss, which tells of a token in front of a tag': [
    '<|channel|>final<|message|>Write <|end|> <br> or <|end|><b>.<|return|>',
    '',
    'Write <|end|> <br> or <|end|><b>.',
  ],
  'gpt-oss, in front of a call as a prompt asks for it': [
    '<|channel|>final<|message|>I look.<|end|>\n<tool_call>{}</tool_call>',
    '',
    'I look.<tool_call>{}</tool_call>',
  ],
  'gpt-oss, up to a sign': ['<|channel|>final<|message|>1 <|end|>\n<', '', '1 <|end|>\n<'],
  'gpt-oss, cut off in a marker': ['<|channel|>analysis<|message|>why<|end|><|start|>assistant', 'why', ''],
  'Command A, a sign alone': ['<|START_THINKING|>why<|END_THINKING|><', 'why', '<'],
  'Muse Glimmer': [
    ' to=self<|message|>why<|eom|><|start|>assistant to=user<|message|>Because<|eot|>',
    'why',
    'Because',
  ],
  'Muse Glimmer, without reasoning': [' to=user<|message|>Because<|eot|>', '', 'Because'],
  'Muse Glimmer, in front of a call': [
    ' to=self<|message|>why<|eom|><|start|>assistant to=f<|message|><atem:function_calls>',
    'why',
    '<|start|>assistant to=f<|message|><atem:function_calls>',
  ],
  Inkling: [
    '<|message_model|><|content_thinking|>why<|end_message|><|message_model|><|content_text|>Because<|end_message|><|content_model_end_sampling|>',
    'why',
    'Because',
  ],
  'Kimi K3': [
    '<|open|>think<|sep|>why<|close|>think<|sep|><|open|>response<|sep|>Because<|close|>response<|sep|><|close|>message<|sep|>',
    'why',
    'Because',
  ],
  'Kimi K3, in front of calls': [
    '<|open|>response<|sep|>I look.<|close|>response<|sep|><|open|>tools<|sep|>',
    '',
    'I look.<|open|>tools<|sep|>',
  ],
};

/** Texts that mention markers. */
const TEXTS = [
  'Hm [THINK]why[/THINK]',
  'a</think>b',
  '<thinking>why</thinking>',
  '<|channel|>commentary to=functions.f<|message|>{}<|call|>',
  '[THINKING] is a label.',
  'Use <|channel|>analysis<|message|> for thoughts.',
  'to=self is the header of a thought.',
];

describe('REASONING_FORMS', () => {
  it.each(Object.entries(ANSWERS))(
    'splits an answer of %s, however it arrives',
    (_models, [answer, ...expected]) => {
      for (const pieces of everyChunking(answer)) {
        expect({ pieces, split: split(pieces) }).toEqual({ pieces, split: expected });
      }
    },
  );

  it.each(TEXTS)('leaves text alone: %s', (text) => {
    for (const pieces of everyChunking(text)) {
      expect({ pieces, split: split(pieces) }).toEqual({ pieces, split: ['', text] });
    }
  });

  it.each(REASONING_FORMS.map((form) => [form.models, form] as const))(
    'takes reasoning of %s that is never closed for reasoning',
    (_models, { openers }) => {
      for (const opener of openers) {
        expect(split([`${opener} why <`])).toEqual(['why <', '']);
      }
    },
  );
});
