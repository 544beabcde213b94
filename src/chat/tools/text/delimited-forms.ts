/** What stands in front of a call or an argument, from its first character to its last one. */
export interface Header {
  readonly begin: string;
  readonly end: string;
  /** Finds the name, its group 1, in what stands between the two. */
  readonly name: RegExp;
  /** Finds the declaration that the value is text. */
  readonly isText?: RegExp;
}

/** A form of calls whose values end at a marker that they cannot hold, since the model writes it as tokens. */
export interface DelimitedForm {
  /** The token in front of each tag, which models leave out in front of closing tags. */
  readonly marker?: string;
  /** In front of the calls. */
  readonly opener: string;
  readonly call: Header;
  readonly callEnd: string;
  readonly argument: Header;
  readonly argumentEnd: (key: string) => string;
  /** What stands around all arguments as one JSON object, where models write that as well. */
  readonly object?: readonly [begin: string, end: string];
  /** Whether objects and lists are written as arguments within arguments. */
  readonly isNested?: boolean;
}

/** What MiniMax M3 writes in front of each tag. */
export const MINIMAX = ']<]minimax[>[';

export const MINIMAX_M3: DelimitedForm = {
  marker: MINIMAX,
  opener: `${MINIMAX}<tool_call>`,
  call: { begin: `${MINIMAX}<invoke `, end: '>', name: /\bname="([^"]*)"/ },
  callEnd: `${MINIMAX}</invoke>`,
  argument: { begin: `${MINIMAX}<`, end: '>', name: /^([^\s<>/][^<>]*)$/u },
  argumentEnd: (key) => `${MINIMAX}</${key}>`,
  isNested: true,
};

export const KIMI_K3: DelimitedForm = {
  opener: '<|open|>tools<|sep|>',
  call: { begin: '<|open|>call ', end: '<|sep|>', name: /\btool="([^"]*)"/ },
  callEnd: '<|close|>call<|sep|>',
  argument: {
    begin: '<|open|>argument ',
    end: '<|sep|>',
    name: /\bkey="([^"]*)"/,
    isText: /\btype="string"/,
  },
  argumentEnd: () => '<|close|>argument<|sep|>',
  object: ['<|open|>json type="object"<|sep|>', '<|close|>json<|sep|>'],
};

export const SOLAR_OPEN: DelimitedForm = {
  opener: '',
  call: { begin: '<|tool_call:start|>', end: '\n', name: /^(.*)$/ },
  callEnd: '<|tool_call:end|>',
  argument: { begin: '<|tool_arg:start|>', end: '<|tool_arg:value|>', name: /^(.*)$/ },
  argumentEnd: () => '<|tool_arg:end|>',
};
