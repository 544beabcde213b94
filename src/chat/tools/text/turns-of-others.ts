/** Tokens by which the turn of a tool or a caller begins: behind a call, the upstream goes on with the transcript. */
export const TURNS_OF_OTHERS: readonly string[] = [
  ...['<|observation|>', '<|user|>', '<|im_start|>user', '<|im_start|>tool', '<start_of_turn>user'],
  ...['user', 'tool', 'ipython'].map((role) => `<|start_header_id|>${role}`),
  ...['<｜User｜>', '<｜tool▁outputs▁begin｜>', '<|START_TOOL_RESULT|>', '[TOOL_RESULTS]'],
  ...['functions.', 'user', 'tool'].map((role) => `<|start|>${role}`),
  ...['✿RESULT✿', '<|tool_response>'],
];
