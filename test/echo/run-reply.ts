import { type AnswerVerdict } from '../../src/chat/completion/guard.js';
import { type DeltaSink } from '../../src/chat/completion/stages/stage.js';
import { resultsToGuard } from '../../src/chat/echo/arming.js';
import { EchoStage } from '../../src/chat/echo/echo.stage.js';
import { type EchoMatch } from '../../src/chat/echo/match/echo-run.js';
import { type ChatMessage } from '../../src/chat/interfaces/chat-message.js';
import { type LabelledReply } from './labelled-reply.js';

export interface Outcome {
  readonly match: EchoMatch | undefined;
  /** Text that was handed on. */
  readonly text: string;
  readonly calls: number;
  /** Number of characters held back after each piece; empty if the guard was not armed. */
  readonly held: readonly number[];
}

/** Plays an answer as the service would: armed by the conversation, in pieces of `size` characters. */
export function runReply(
  reply: LabelledReply,
  size = reply.reply.length,
  verdict: AnswerVerdict = 'stop',
): Outcome {
  const { messages, sent } = conversation(reply);
  const results = resultsToGuard(messages, sent);
  const sink = new LengthRecorder();
  let match: EchoMatch | undefined;
  const stage =
    results.length > 0
      ? new EchoStage(sink, results, (found) => {
          match = found;
          return verdict;
        })
      : undefined;
  const held: number[] = [];
  let given = 0;
  const step = Math.max(1, size);
  for (let at = 0; at < reply.reply.length && !(match && verdict === 'stop'); at += step) {
    const piece = reply.reply.slice(at, at + step);
    (stage ?? sink).text(piece);
    given += piece.length;
    if (stage) {
      held.push(given - sink.length);
    }
  }
  if (reply.call !== undefined) {
    (stage ?? sink).toolCall({ index: 0, id: 'call_2', name: 'read', arguments: reply.call });
  }
  stage?.flush();
  return { match, text: sink.pieces.join(''), calls: sink.calls, held };
}

class LengthRecorder implements DeltaSink {
  readonly pieces: string[] = [];
  length = 0;
  calls = 0;

  text(text: string): void {
    this.pieces.push(text);
    this.length += text.length;
  }

  reasoning(): void {
    throw new Error('there was none');
  }

  refusal(): void {
    throw new Error('there was none');
  }

  toolCall(): void {
    this.calls++;
  }
}

function conversation({ asked, results }: LabelledReply): { messages: ChatMessage[]; sent: ChatMessage[] } {
  const head: ChatMessage[] = [
    { role: 'user', content: asked },
    {
      role: 'assistant',
      content: null,
      tool_calls: results.map(({ source = '{}' }, index) => ({
        id: `call_${index}`,
        type: 'function',
        function: { name: 'read', arguments: source },
      })),
    },
  ];
  const tool = (content: string, index: number): ChatMessage => ({
    role: 'tool',
    tool_call_id: `call_${index}`,
    content,
  });
  return {
    messages: [...head, ...results.map(({ text }, index) => tool(text, index))],
    sent: [...head, ...results.map(({ text, condensed = text }, index) => tool(condensed, index))],
  };
}
