import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { Settings } from '../../common/config/settings.js';
import { InvalidRequestError, ModelNotFoundError } from '../../common/errors/gateway.errors.js';
import { ValidationPipe } from '../../common/http/validation.pipe.js';
import { ModelCatalog } from '../../models/model-catalog.service.js';
import { toCompletionRequest } from './completion-request.factory.js';
import { CreateChatCompletionDto } from './create-chat-completion.dto.js';

const settings = new Settings();
const catalog = new ModelCatalog(settings);
const pipe = new ValidationPipe();

function check(body: object): void {
  const dto = pipe.transform(body, { type: 'body', metatype: CreateChatCompletionDto });
  toCompletionRequest(dto as CreateChatCompletionDto, (id) => catalog.get(id), settings);
}

const text = fc.string({ maxLength: 8, unit: 'binary' });
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof(value, fc.constant(null), fc.constant(undefined));
const textPart = fc.record({ type: fc.constant('text'), text });
const content = fc.oneof(text, fc.array(textPart, { maxLength: 2 }));
const name = fc.stringMatching(/^[a-zA-Z0-9_.:/-]{1,12}$/);

const plainMessage = fc.record({
  role: fc.constantFrom('system', 'developer', 'user'),
  content,
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
const validBody = fc.record({
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
  stop: optional(fc.oneof(name, fc.array(name, { maxLength: 4 }))),
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

interface Spot {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

/** Every place in a body whose value can be exchanged for another. */
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

/** A place in the body, picked by a number of any size, and what to put there. */
const damage = fc.record({ pick: fc.nat(), value: strange });

/** 2,500 requests, each as it is and damaged in seven ways: 20,000 cases. */
const RUNS = 2500;
const DAMAGES = 7;

describe('a completion request', () => {
  it('is accepted if it keeps the rules; else its field is named', () => {
    const fields = new Set(Object.keys(new CreateChatCompletionDto()));
    const damages = fc.array(damage, { minLength: DAMAGES, maxLength: DAMAGES });
    fc.assert(
      fc.property(validBody, damages, (body, all) => {
        check(body);
        for (const { pick, value } of all) {
          const places = spots(body);
          const { parent, key } = places[pick % places.length]!;
          const before = parent[key];
          parent[key] = value;
          expectNamedFault(() => check(body), fields);
          parent[key] = before;
        }
      }),
      { numRuns: RUNS },
    );
  });
});

function expectNamedFault(act: () => void, fields: ReadonlySet<string>): void {
  try {
    act();
  } catch (error) {
    const isKnown = error instanceof InvalidRequestError || error instanceof ModelNotFoundError;
    const param = isKnown ? (error.param ?? '') : '';
    const field = /^\w+/.exec(param)?.[0] ?? '';
    const isNamed = error instanceof ModelNotFoundError || (error as Error).message.startsWith(`${param} `);
    if (!isKnown || !fields.has(field) || !isNamed) {
      throw error;
    }
  }
}
