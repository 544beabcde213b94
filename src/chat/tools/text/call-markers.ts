import { type Input, type Parsing, readRun, skipWhitespace, startsWith } from './input.js';

/** A way in which models set calls apart by words that are tokens of their own. */
export interface MarkedForm {
  /** What announces calls; several may follow each other. */
  readonly openers: readonly string[];
  /** What may stand before the name of a call, where that is no JSON. */
  readonly beforeName?: readonly string[];
  /** What may stand between the name and the arguments. */
  readonly beforeArguments?: readonly (string | RegExp)[];
  /** What may stand right behind the arguments. */
  readonly behindArguments?: readonly string[];
  /** What may stand behind a call, and behind the last one. */
  readonly closers?: readonly string[];
}

/** Written with the bars and the underscores of DeepSeek. */
const deepSeek = (word: string): string => `<｜${word.replaceAll(' ', '▁')}｜>`;

const WORD = /\w*/y;

const FORMS: readonly MarkedForm[] = [
  // Mistral: a list, or `NAME[CALL_ID]…[ARGS]{…}`
  {
    openers: ['[TOOL_CALLS]'],
    beforeArguments: ['[CALL_ID]', WORD, '[ARGS]'],
    closers: ['[/TOOL_CALLS]'],
  },
  // Llama 3 and 4
  {
    openers: ['<|python_tag|>', '<|python_start|>'],
    closers: ['<|python_end|>', '<|eom_id|>', '<|eot_id|>', '<|eot|>'],
  },
  // Granite
  { openers: ['<|tool_call|>'], closers: ['<|/tool_call|>'] },
  // LFM
  { openers: ['<|tool_call_start|>'], closers: ['<|tool_call_end|>'] },
  // DeepSeek: `NAME<sep>{…}`, or `function<sep>NAME` and a fence
  {
    openers: [deepSeek('tool calls begin'), deepSeek('tool call begin')],
    beforeName: [`function${deepSeek('tool sep')}`],
    beforeArguments: [deepSeek('tool sep')],
    closers: ['tool call end', 'tool calls end', 'end of sentence'].map(deepSeek),
  },
  // Step: tags between tokens
  {
    openers: ['<｜tool_calls_begin｜>', '<｜tool_call_begin｜>'],
    beforeName: ['function<｜tool_sep｜>'],
    closers: ['<｜tool_call_end｜>', '<｜tool_calls_end｜>'],
  },
  // Kimi: `functions.NAME:0<…>{…}`
  {
    openers: ['<|tool_calls_section_begin|>', '<|tool_call_begin|>'],
    beforeArguments: ['<|tool_call_argument_begin|>'],
    closers: ['<|tool_call_end|>', '<|tool_calls_section_end|>'],
  },
  // gpt-oss: a message to a function
  {
    openers: ['<|start|>assistant', '<|channel|>'],
    beforeName: ['commentary', 'analysis', 'to='],
    beforeArguments: ['<|channel|>', WORD, '<|constrain|>', WORD, '<|message|>'],
    closers: ['<|call|>', '<|start|>assistant<|channel|>final<|message|>', '<|end|>', '<|return|>'],
  },
  // Gemma 4 and FunctionGemma: `call:NAME{…}`
  { openers: ['<|tool_call>'], beforeName: ['call:'], closers: ['<tool_call|>', '<turn|>'] },
  { openers: ['<start_function_call>'], beforeName: ['call:'], closers: ['<end_function_call>'] },
  // InternLM, Command R7B
  { openers: ['<|action_start|>', '<|plugin|>'], closers: ['<|action_end|>'] },
  { openers: ['<|START_ACTION|>'], closers: ['<|END_ACTION|>'] },
  // Phi: at the beginning of an answer
  { openers: ['functools'] },
  { openers: [], closers: ['<|im_end|>'] },
];

/** A name that no marker announces: in a tag, or in a list. */
export const PLAIN_FORM: MarkedForm = { openers: [], beforeArguments: ['<tool_sep>'] };

/** In a fence for tools. */
export const CODE_FORM: MarkedForm = { openers: [], beforeName: ['print('], behindArguments: [')'] };

interface Markers {
  readonly all: readonly string[];
  /** What begins otherwise is seen at once to be none. */
  readonly starts: ReadonlySet<string>;
}

const OPENERS = markersOf(FORMS.flatMap(({ openers }) => openers));
const CLOSERS = markersOf(FORMS.flatMap(({ closers = [] }) => closers));

/** The form of the calls that are announced at the cursor. Consumes nothing. */
export function* announcedForm(input: Input): Parsing<MarkedForm | undefined> {
  const opener = yield* markerAt(input, OPENERS);
  return opener === undefined ? undefined : FORMS.find(({ openers }) => openers.includes(opener));
}

/** Consumes what models write behind their calls, if it stands at the cursor, also if the answer ends in its middle. */
export function* skipCloser(input: Input): Parsing<boolean> {
  const closer = yield* markerAt(input, CLOSERS);
  const rest = input.text.slice(input.at);
  const isCut = rest.length > 1 && input.isEnded && CLOSERS.all.some((marker) => marker.startsWith(rest));
  input.at += closer?.length ?? (isCut ? rest.length : 0);
  return closer !== undefined || isCut;
}

/** Consumes what stands at the cursor of these, each once at most, and white space between them. */
export function* skipMarkers(input: Input, markers: readonly (string | RegExp)[] = []): Parsing<void> {
  for (const marker of markers) {
    yield* skipWhitespace(input);
    if (typeof marker !== 'string') {
      yield* readRun(input, marker);
    } else if (yield* startsWith(input, marker)) {
      input.at += marker.length;
    }
  }
}

function* markerAt(input: Input, { all, starts }: Markers): Parsing<string | undefined> {
  while (input.text.length - input.at < 2 && !input.isEnded) {
    yield;
  }
  if (starts.has(input.text.slice(input.at, input.at + 2))) {
    for (const marker of all) {
      if (yield* startsWith(input, marker)) {
        return marker;
      }
    }
  }
  return undefined;
}

function markersOf(all: readonly string[]): Markers {
  return { all, starts: new Set(all.map((marker) => marker.slice(0, 2))) };
}
