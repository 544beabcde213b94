import { type MarkedForm } from './marked-form.js';

/** Calls whose names no marker announces: in a tag or in a list. */
export const PLAIN_FORM: MarkedForm = {
  models: 'Hunyuan, GLM, Olmo, Step Audio, Gemini',
  examples: [
    '<tool_call>f<tool_sep>{"a": 1}</tool_call>',
    '<tool_call>f>{"a": 1}</tool_call>',
    '<function_calls>f(a=1)</function_calls>',
    '<tool_call>function\nf\n{"a": 1}</tool_call>',
    '<tool_call>assistant to=functions.f json\n{"a": 1}</tool_call>',
    '<tool_code>print(default_api.f(a=1))</tool_code>',
  ],
  openers: [],
  beforeName: ['function\n', 'assistant to=', 'to=', 'print('],
  beforeArguments: ['<tool_sep>', '>', 'json'],
  behindArguments: [')'],
};

/** Calls in Python in a fence with the label `tool_code`. */
export const CODE_FORM: MarkedForm = {
  models: 'Gemma 3',
  examples: ['```tool_code\nprint(default_api.f(a=1))\n```'],
  openers: [],
  beforeName: ['print('],
  behindArguments: [')'],
};

/** Calls as agents prompt them that let a model reason and act in turns. */
export const ACTION_FORM: MarkedForm = {
  models: 'those that agents prompt by ReAct, and Command R',
  examples: [
    'Action: f\nAction Input: {"a": 1}',
    'Action: f\nAction Input: {"a": 1}\nObservation:',
    'Tool: f\nArguments: {"a": 1}',
  ],
  openers: [],
  beforeName: [/(?:Action|Tool(?: [Nn]ame)?):/y],
  beforeArguments: [/(?:(?:Action |Tool )?Input|Arg(?:ument)?s):/y],
  closers: ['Observation:'],
};

/** Calls whose names are lines of their own. */
export const NAME_LINE_FORM: MarkedForm = {
  models: 'Functionary 3, GLM 4, and others with the name in bold',
  examples: ['>>>f\n{"a": 1}', '**f**\n```json\n{"a": 1}\n```'],
  openers: [],
  beforeName: [/>>>|\*\*|`/y],
  beforeArguments: [/(?:\*\*|`(?!`))?:?/y],
  closers: ['```'],
};
