import { callOf, type ToolCallCase } from '../tool-call-case.js';

/** Raw values of parameters, and their JSON by the schema. */
const READ: readonly (readonly [tool: string, key: string, raw: string, json: string])[] = [
  ['get_weather', 'days', '3', '3'],
  ['get_weather', 'days', ' 3 ', '3'],
  ['get_weather', 'days', '12345678901234567890', '12345678901234567890'],
  ['get_weather', 'city', '75001', '"75001"'],
  ['get_weather', 'city', 'true', '"true"'],
  ['get_weather', 'city', 'null', '"null"'],
  ['get_weather', 'city', '{"a":1}', '"{\\"a\\":1}"'],
  ['get_weather', 'city', '"Paris"', '"\\"Paris\\""'],
  ['get_weather', 'unit', 'celsius', '"celsius"'],
  ['get_weather', 'unit', 'Celsius', '"celsius"'],
  ['run_command', 'timeout', '1.50', '1.50'],
  ['run_command', 'timeout', '1e3', '1e3'],
  ['run_command', 'timeout', '-0.5', '-0.5'],
  ['run_command', 'env', '{"PATH": "/bin", "N": "1"}', '{"PATH": "/bin", "N": "1"}'],
  ['edit_file', 'dry_run', 'true', 'true'],
  ['edit_file', 'dry_run', 'False', 'false'],
  ['edit_file', 'dry_run', ' 1 ', 'true'],
  ['edit_file', 'edits', '\n[{"old": "a\\n", "new": "b"}]\n', '[{"old": "a\\n", "new": "b"}]'],
  ['search', 'tags', '["a", "b"]', '["a", "b"]'],
  ['search', 'tags', 'a', '["a"]'],
  ['search', 'query', 'null', 'null'],
  ['search', 'query', 'nullable types', '"nullable types"'],
  ['search', 'query', '5', '"5"'],
  ['search', 'within', 'null', 'null'],
  ['search', 'exact', 'true', 'true'],
  ['search', 'exact', 'null', 'null'],
  ['search', 'extra', '7', '7'],
  ['search', 'extra', 'seven', '"seven"'],
  ['search', 'extra', '"7"', '"7"'],
  ['search', 'unheard_of', '[1]', '[1]'],
];

/** Values in JSON, and their JSON by the schema. */
const READ_JSON: readonly (readonly [tool: string, key: string, json: string, expected: string])[] = [
  ['get_weather', 'days', '"3"', '3'],
  ['get_weather', 'days', '12345678901234567890', '12345678901234567890'],
  ['get_weather', 'city', '75001', '"75001"'],
  ['get_weather', 'unit', '"Celsius"', '"celsius"'],
  ['run_command', 'timeout', '1.0', '1.0'],
  ['run_command', 'timeout', '1E+2', '1E+2'],
  ['run_command', 'env', '"{\\"A\\": \\"1\\"}"', '{"A": "1"}'],
  ['edit_file', 'dry_run', '"true"', 'true'],
  ['edit_file', 'dry_run', '1', 'true'],
  ['edit_file', 'dry_run', '"0"', 'false'],
  ['edit_file', 'dry_run', '2', '2'],
  ['run_command', 'env', '{"type": "a", "value": "b"}', '{"type":"a","value":"b"}'],
  ['search', 'tags', '"a"', '["a"]'],
  ['search', 'query', '"5"', '"5"'],
  ['search', 'query', 'null', 'null'],
  ['search', 'extra', '{"a": [1, 2.0]}', '{"a":[1,2.0]}'],
];

/** Lists and objects that are no sound JSON, as they stand between tags or in a string of JSON, and their JSON. */
const UNSOUND: readonly (readonly [tool: string, key: string, text: string, json: string])[] = [
  ['search', 'tags', "['a', 'b']", '["a","b"]'],
  ['search', 'tags', '["a", "b",]', '["a","b"]'],
  ['search', 'tags', '["a", "b"]]', '["a","b"]'],
  ['search', 'tags', '["a"]}', '["a"]'],
  ['search', 'tags', '```json\n["a", "b"]\n```', '["a","b"]'],
  ['search', 'tags', '// two\n["a", "b"]', '["a","b"]'],
  ['search', 'tags', '- a\n- b c', '["a","b c"]'],
  ['search', 'tags', '{"tags": ["a"]}', '["a"]'],
  ['search', 'tags', 'a\nb', '"a\\nb"'],
  ['search', 'query', "['a']", `"['a']"`],
  ['run_command', 'env', "{'A': '1'}", '{"A":"1"}'],
  ['run_command', 'env', '{"A": "1\n2"}', '{"A":"1\\n2"}'],
  ['run_command', 'env', '{"A": "1"}, {"B": "2"}', String.raw`"{\"A\": \"1\"}, {\"B\": \"2\"}"`],
  ['edit_file', 'edits', "[{'old': 'a', 'new': \"b's\"}]", `[{"old":"a","new":"b's"}]`],
  [
    'edit_file',
    'edits',
    '{"old": "a", "new": "b"}\n{"old": "c", "new": "d"}',
    '[{"old":"a","new":"b"},{"old":"c","new":"d"}]',
  ],
  ['edit_file', 'edits', '{"edits": [{"old":"a","new":"b"}]}', '[{"old":"a","new":"b"}]'],
  ['edit_file', 'edits', '[{"old": "a" oops]', String.raw`"[{\"old\": \"a\" oops]"`],
];

export const coercion: readonly ToolCallCase[] = [
  ...READ.map(([tool, key, raw, json]) => ({
    name: `${JSON.stringify(raw)} as ${key}`,
    upstream: callOf(tool, { [key]: raw }),
    calls: [[tool, `{"${key}":${json}}`] as const],
  })),
  ...READ_JSON.map(([tool, key, json, expected]) => ({
    name: `${json} in JSON as ${key}`,
    upstream: `<tool_call>{"name":"${tool}","arguments":{"${key}":${json}}}</tool_call>`,
    calls: [[tool, `{"${key}":${expected}}`] as const],
  })),
  ...UNSOUND.flatMap(([tool, key, text, json]) => [
    {
      name: `unsound ${text} as ${key}`,
      upstream: callOf(tool, { [key]: text }),
      calls: [[tool, `{"${key}":${json}}`] as const],
    },
    {
      name: `unsound ${text} in a string as ${key}`,
      upstream: `<tool_call>${JSON.stringify({ name: tool, arguments: { [key]: text } })}</tool_call>`,
      calls: [[tool, `{"${key}":${json}}`] as const],
    },
  ]),
];
