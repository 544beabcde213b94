/**
 * The role of a tag in calls, whichever dialect it belongs to:
 *
 *     wrapper    <tool_call>  <function_calls>  and similar: around one or more calls
 *     function   <function=NAME>  <function name="NAME">  <invoke name="NAME">
 *     parameter  <parameter=KEY>  <parameter name="KEY">  <arg_key>KEY</arg_key> <arg_value>
 *     result     <tool_response …>  and similar: the upstream pretends that the tool has answered
 *     role       <user>  <assistant>  <system>: the upstream goes on with the transcript
 *     thinking   </think> whose reasoning was left out or has ended long ago
 */
export type TagKind = 'wrapper' | 'function' | 'parameter' | 'result' | 'role' | 'thinking';

const WORDS: Readonly<Record<string, TagKind>> = {
  tool_call: 'wrapper',
  tool_calls: 'wrapper',
  function_call: 'wrapper',
  function_calls: 'wrapper',
  tool_use: 'wrapper',
  use_mcp_tool: 'wrapper',
  tool_code: 'wrapper',
  toolcall: 'wrapper',
  functioncall: 'wrapper',
  function_invocation: 'wrapper',
  function: 'function',
  // `<functionname="f">`, as MiniCPM 5 writes.
  functionname: 'function',
  invoke: 'function',
  parameter: 'parameter',
  arg_key: 'parameter',
  arg_value: 'parameter',
  tool_response: 'result',
  tool_result: 'result',
  tool_results: 'result',
  function_response: 'result',
  function_result: 'result',
  function_results: 'result',
  user: 'role',
  assistant: 'role',
  system: 'role',
  think: 'thinking',
};

/** The tag that the contract asks for: around a call even where a tool has its name, as one of OpenClaw has. */
export const CONTRACT_TAG = 'tool_call';

/**
 * The names of the tags that the grammar knows, without namespace and in lower case. Models that write HTML a lot join their
 * words by hyphens: `<tool-call>`.
 */
export const TAG_WORDS: ReadonlyMap<string, TagKind> = new Map(
  Object.entries(WORDS).flatMap(([word, kind]) => [
    [word, kind],
    ...(kind === 'wrapper' || kind === 'result' ? [[word.replaceAll('_', '-'), kind] as const] : []),
  ]),
);

/**
 * Prefixes that some models write in front of every tag name, e.g. `<minimax:tool_call>`, `<longcat_arg_key>`; one that
 * begins like another stands in front of it.
 */
export const TAG_NAMESPACES: readonly string[] = [
  ...['antml', 'minimax', 'seed', 'steptml', 'atem', 'xai'].flatMap((word) => [`${word}:`, `${word}_`]),
  'longcat_',
  'iquestcoder_',
  'iquest_',
  'dots_',
  'ifm|',
  '｜GCML｜',
  ...['｜', '|', '‖', '｜｜', '||'].flatMap((bar) => [`${bar}DSML${bar} `, `${bar}DSML${bar}`]),
  // The first bar may be lost.
  'DSML｜',
];
