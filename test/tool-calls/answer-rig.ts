import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { AnswerWriter } from '../../src/chat/completion/answer-writer.js';
import { CompletionPipeline } from '../../src/chat/completion/completion-pipeline.js';
import { ChunkFrames } from '../../src/chat/completion/output/chunk-frames.js';
import { type CompletionOutput } from '../../src/chat/completion/output/completion-output.js';
import { StreamOutput } from '../../src/chat/completion/output/stream-output.js';
import { Tokenizer } from '../../src/chat/completion/tokens/tokenizer.js';
import { OfferedTools } from '../../src/chat/tools/calls/offered-tools.js';
import { type ToolCallReport } from '../../src/chat/tools/calls/tool-call-report.js';
import { ToolCallStage } from '../../src/chat/tools/tool-call.stage.js';
import { OutputRecorder } from '../support/watch/output-recorder.js';
import { type ToolCallCase, TOOLS } from './tool-call-case.js';

/** An answer as a caller assembles it. */
export interface CallerView {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly finish: string | undefined;
}

export interface Outcome extends CallerView {
  readonly report: ToolCallReport;
  readonly problems: readonly string[];
}

const tokenizer = new Tokenizer();
const usage = { promptTokens: 0, completionTokens: 0, reasoningTokens: 0, cachedTokens: 0 };
const identity = { id: 'chatcmpl-1', created: 1, model: 'm' };
const everything = new OfferedTools(TOOLS);

/** Runs the pieces of an answer through the real pipeline and collects its output. */
export function collect(one: ToolCallCase, pieces: readonly string[]): Outcome {
  return run(one, pieces, new OutputRecorder());
}

/** Runs the pieces of an answer through the real pipeline and SSE output, and reads the stream as a caller does. */
export function stream(one: ToolCallCase, pieces: readonly string[]): CallerView {
  const connection = new Connection();
  const response = new ServerResponse(new IncomingMessage(connection));
  response.assignSocket(connection);
  const options = { heartbeatAfterMs: 60_000, heartbeatIntervalMs: 60_000 };
  run(one, pieces, new StreamOutput(response, new ChunkFrames(identity, { includeUsage: false }), options));
  response.detachSocket(connection);
  response.destroy();
  return assemble(connection.received.slice(connection.received.indexOf('\r\n\r\n') + 4));
}

/** A socket whose caller reads everything at once. */
class Connection extends Socket {
  received = '';

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.received += bytes.toString();
    done();
  }

  override _writev(parts: { chunk: Buffer | string }[], done: () => void): void {
    this.received += parts.map(({ chunk }) => chunk.toString()).join('');
    done();
  }
}

function run(one: ToolCallCase, pieces: readonly string[], output: CompletionOutput): Outcome {
  const problems: string[] = [];
  let ids = 0;
  let stage: ToolCallStage | undefined;
  const tools =
    typeof one.demanded === 'string'
      ? new OfferedTools(TOOLS.filter((tool) => tool.function.name === one.demanded))
      : one.tools === undefined
        ? everything
        : new OfferedTools(one.tools);
  const writer = new AnswerWriter(output, false, () => undefined);
  const pipeline = new CompletionPipeline(
    {
      model: { id: 'm', contextWindow: 1e9, maxOutputTokens: 1e9, thinking: false, upstreamModel: 'm' },
      messages: [],
      stream: true,
      thinking: false,
      params: { temperature: 1, topP: 1, maxTokens: 1e9, stop: [] },
      tools: one.tools ?? TOOLS,
      toolChoice: 'auto',
      parallelToolCalls: one.isSerial !== true,
      responseFormat: { type: 'text' },
      fieldNames: { messages: 'messages', schema: 'schema' },
    },
    tokenizer,
    writer,
    [
      {
        holdsBack: one.demanded !== undefined,
        stage: (next, { end }) =>
          (stage = new ToolCallStage(next, {
            tools,
            isRequired: one.demanded !== undefined,
            isParallel: one.isSerial !== true,
            nextId: () => `call_${++ids}`,
            onProblem: ({ kind }) => {
              problems.push(kind);
              return 'pass';
            },
            end,
          })),
      },
    ],
  );
  writer.upstreamBegan();
  pieces.forEach((text) => {
    pipeline.push([{ type: 'text', text }]);
    output.flush();
  });
  pipeline.push([{ type: 'done', reason: 'stop' }]);
  const { answer, finishReason: finish } = pipeline;
  output.finish(answer, finish!, usage);
  const calls = answer.toolCalls.map(({ id, function: call }) => ({ id, ...call }));
  return { text: answer.text, calls, finish, report: stage!.report, problems };
}

interface Chunk {
  readonly choices: readonly [
    {
      readonly delta: {
        readonly content?: string;
        readonly tool_calls?: readonly {
          readonly index: number;
          readonly id?: string;
          readonly function: { readonly name?: string; readonly arguments: string };
        }[];
      };
      readonly finish_reason: string | null;
    },
  ];
}

/** Assembles a stream as clients do: calls by index, with id and name of their first piece. */
function assemble(body: string): CallerView {
  const frames = body.split('\n\n').filter((frame) => frame.startsWith('data: {'));
  const chunks = frames.map((frame) => JSON.parse(frame.slice('data: '.length)) as Chunk);
  const calls: { id: string; name: string; arguments: string }[] = [];
  let text = '';
  for (const { choices } of chunks) {
    text += choices[0].delta.content ?? '';
    for (const { index, id, function: call } of choices[0].delta.tool_calls ?? []) {
      const known = (calls[index] ??= { id: id ?? '', name: call.name ?? '', arguments: '' });
      known.arguments += call.arguments;
    }
  }
  return { text, calls, finish: chunks.at(-1)?.choices[0].finish_reason ?? undefined };
}
