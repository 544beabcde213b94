import fc from 'fast-check';
import { anyCodePoint } from './any-code-point.js';

const text = fc.string({ maxLength: 8, unit: anyCodePoint });
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof(value, fc.constant(null), fc.constant(undefined));
const textPart = fc.record({ type: fc.constant('text'), text });
const contentOf = (minLength: number): fc.Arbitrary<unknown> =>
  fc.oneof(text, fc.array(textPart, { minLength, maxLength: 2 }));
/** Of the assistant and of tools, which may have said nothing. */
const content = contentOf(0);
const name = fc.stringMatching(/^[a-zA-Z0-9_.:/-]{1,12}$/);

const plainMessage = fc.record({
  role: fc.constantFrom('system', 'developer', 'user'),
  content: contentOf(1),
  name: optional(text),
});
const callName = fc.record({ name, arguments: fc.oneof(text, fc.json({ maxDepth: 1 })) });
/** An assistant message with calls, and some of their results. */
const toolTurn = fc
  .record({
    id: fc.string({ minLength: 1, maxLength: 6 }),
    content: optional(content),
    reasoning_content: optional(text),
    calls: fc.array(callName, { minLength: 1, maxLength: 2 }),
    results: fc.array(content, { maxLength: 2 }),
  })
  .map(({ id, content: said, reasoning_content, calls, results }) => [
    {
      role: 'assistant',
      content: said,
      reasoning_content,
      tool_calls: calls.map((call, index) => ({ id: `${id}${index}`, type: 'function', function: call })),
    },
    ...results
      .slice(0, calls.length)
      .map((result, index) => ({ role: 'tool', tool_call_id: `${id}${index}`, content: result })),
  ]);
const messages = fc
  .array(
    fc.oneof(
      plainMessage.map((message): object[] => [message]),
      toolTurn,
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((turns) => turns.flat());
const tools = fc.uniqueArray(
  fc.record({
    type: fc.constant('function'),
    function: fc.record({
      name,
      description: optional(text),
      parameters: optional(fc.dictionary(text, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 })),
      strict: optional(fc.boolean()),
    }),
  }),
  { maxLength: 2, selector: (tool) => tool.function.name },
);
const whole = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const within = (max: number): fc.Arbitrary<number> => fc.double({ min: 0, max, noNaN: true });

/** Requests that the rules call valid. */
export const validBody = fc.record({
  model: fc.constantFrom('svc-max', 'svc-plus', 'svc-max-no-thinking', 'svc-plus-no-thinking'),
  messages,
  stream: optional(fc.boolean()),
  stream_options: optional(fc.record({ include_usage: optional(fc.boolean()) })),
  temperature: optional(within(2)),
  top_p: optional(within(1)),
  max_tokens: optional(whole(1, 65_536)),
  max_completion_tokens: optional(whole(1, 65_536)),
  tools: optional(tools),
  tool_choice: optional(fc.constantFrom('auto', 'none')),
  parallel_tool_calls: optional(fc.boolean()),
  stop: optional(fc.oneof(name, fc.array(name, { maxLength: 64 }))),
  seed: optional(fc.maxSafeInteger()),
  n: optional(fc.constant(1)),
  reasoning_effort: optional(text),
  response_format: optional(
    fc.oneof(
      fc.record({ type: fc.constantFrom('text', 'json_object') }),
      fc.record({ type: fc.constant('json_schema'), json_schema: fc.constant({ schema: {} }) }),
    ),
  ),
  user: optional(text),
});

/** A place in a body whose value can be exchanged for another. */
interface Spot {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

function spots(value: unknown): Spot[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...spots(parent[key])]);
}

const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    undefined,
    Number.MAX_VALUE,
    -0,
    '\ud800',
    { __proto__: null },
    [[]],
    'function',
    'tool',
  ),
);

/** One value of a body, picked by a number of any size, and its replacement. */
export const damage = fc.record({ pick: fc.nat(), value: strange });

export type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

/** Does the damage, calls, and puts the value back. */
export function withDamage<T>(body: object, { pick, value }: Damage, act: () => T): T {
  const places = spots(body);
  const { parent, key } = places[pick % places.length]!;
  const before = parent[key];
  parent[key] = value;
  const result = act();
  parent[key] = before;
  return result;
}
