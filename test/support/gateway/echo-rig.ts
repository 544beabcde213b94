import { echoCorrection } from '../../../src/chat/echo/correction.js';
import { type Settings } from '../../../src/common/config/settings.js';
import { type StubPlan, type StubRequest } from '../upstream/openai-stub.js';
import { answer } from '../upstream/openai-stub-plans.js';
import { type ToolConversation } from '../wire/endpoints.js';
import { StubGateway } from './stub-gateway.js';

export const CLEAN = 'It counts the days of the month, and forgets leap years.';
export const QUESTION = 'What does days.ts do, and is it right?';

/** Tells years apart, so that no two lines are the same. */
export const FILE = Array.from(
  { length: 30 },
  (_, index) =>
    `export const daysIn${1990 + index * 3} = countDays(${1990 + index * 3}, calendar.lengths[${index}]);`,
).join('\n');

export const CALL = {
  role: 'assistant',
  content: '',
  tool_calls: [
    { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"src/days.ts"}' } },
  ],
} as const;

export const TOOL = {
  type: 'function',
  function: {
    name: 'read',
    description: 'Reads a file',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
} as const;

/** A conversation that ends with the result of a tool. */
export function conversation(question = QUESTION): object {
  return {
    model: 'svc-max-no-thinking',
    messages: [
      { role: 'user', content: question },
      CALL,
      { role: 'tool', tool_call_id: 'call_1', content: FILE },
    ],
    tools: [TOOL],
  };
}

/** The same for any wire format. */
export const ECHO_SCENE: ToolConversation = {
  question: QUESTION,
  tools: [TOOL.function],
  calls: [{ id: 'call_1', name: 'read', input: { path: 'src/days.ts' }, result: FILE }],
};

/** Whether the last thing that the upstream reads is the correction. */
export function endsWithCorrection({ body }: StubRequest, isContinued = false): boolean {
  return body.messages?.at(-1)?.content.endsWith(echoCorrection(isContinued)) ?? false;
}

/** Says something in pieces of some characters. */
export function says(text: string): StubPlan {
  return answer({ pieces: text.match(/[^]{1,24}/g) ?? [] });
}

/** An upstream that repeats the file until it is told not to. */
export function echoesUntilCorrected(before = 'Here is the file:\n\n'): StubPlan {
  return (reply) => {
    const isCorrected = endsWithCorrection(reply.request) || endsWithCorrection(reply.request, true);
    return says(isCorrected ? CLEAN : `${before}${FILE}`)(reply);
  };
}

export async function startEchoGateway(settings: Partial<Settings> = {}): Promise<StubGateway> {
  const gateway = await StubGateway.start(settings);
  gateway.stub.answerWith(echoesUntilCorrected());
  return gateway;
}

/** The text of a stream, joined. */
export function streamedText(events: string): string {
  return [...events.matchAll(/^data: (\{.*)$/gm)]
    .map(([, json = '']) => JSON.parse(json) as { choices: { delta: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('');
}
