import { type ToolDefinition } from '../../../src/chat/interfaces/tool-definition.js';
import { type Call, DIALECTS } from '../dialects.js';
import { type ToolCallCase } from '../tool-call-case.js';

const string = { type: 'string' };
const list = (items: object): object => ({ type: 'array', items });
const object = (properties: Record<string, object>): object => ({ type: 'object', properties });

function tool(name: string, properties: Record<string, object>, required: string[]): ToolDefinition {
  return { type: 'function', function: { name, parameters: { type: 'object', properties, required } } };
}

/** Tools of agents for business, and of servers that such agents use. */
const TOOLS: readonly ToolDefinition[] = [
  tool(
    'mcp__github__create_issue',
    { owner: string, repo: string, title: string, body: string, labels: list(string) },
    ['owner', 'repo', 'title'],
  ),
  tool(
    'crm_search',
    {
      query: string,
      filters: list(object({ field: string, op: string, value: {} })),
      page: { type: 'integer' },
    },
    ['query'],
  ),
  tool(
    'create_event',
    {
      title: string,
      start: string,
      reminders: list(object({ method: string, minutes: { type: 'integer' } })),
      all_day: { type: 'boolean' },
      location: { type: ['string', 'null'] },
    },
    ['title', 'start'],
  ),
  tool('run_sql', { query: string, params: list({}), limit: { type: 'integer' } }, ['query']),
  tool('convert_currency', { amount: { type: 'number' }, from: string, to: string }, [
    'amount',
    'from',
    'to',
  ]),
  tool('list_calendars', {}, []),
];

const CALLS: readonly Call[] = [
  [
    'mcp__github__create_issue',
    {
      owner: 'acme',
      repo: 'billing',
      title: 'Invoices are off by one cent 🧾',
      body: '## Steps\n\n```ts\nconst total = net * 1.07;\n```\n\nExpected: "21.39 €"',
      labels: ['bug', 'Büro'],
    },
  ],
  [
    'crm_search',
    {
      query: "O'Brien & Söhne",
      filters: [
        { field: 'amount', op: '>', value: 500 },
        { field: 'country', op: 'in', value: ['DE', 'AT'] },
      ],
      page: 2,
    },
  ],
  ['list_calendars', {}],
  [
    'create_event',
    {
      title: '予算 Q3',
      start: '2026-12-01T09:00:00+01:00',
      reminders: [
        { method: 'popup', minutes: 10 },
        { method: 'email', minutes: 1440 },
      ],
      all_day: false,
      location: null,
    },
  ],
  [
    'run_sql',
    {
      query: "SELECT id\nFROM orders o\nWHERE o.total >= 100 AND o.note <> '' AND name LIKE 'O''B%';",
      params: [1, 'a', null],
      limit: 50,
    },
  ],
  ['convert_currency', { amount: 99.5, from: 'CHF', to: 'JPY' }],
];

/** Calls of every form with values as business has them; in that of MiniMax M3, values of any type have none. */
export const business: readonly ToolCallCase[] = Object.entries(DIALECTS)
  .filter(([name]) => name !== 'MiniMax M3')
  .map(([name, { write }]) => ({
    name,
    upstream: write(CALLS),
    tools: TOOLS,
    calls: CALLS.map(([tool, values]) => [tool, JSON.stringify(values)] as const),
  }));
