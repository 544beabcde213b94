import { describe, expect, it } from '@jest/globals';
import { range } from '../../../test/compression/strategy-context.js';
import { PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { type CondensedMessages, condenseMessages } from './condense-messages.js';
import { CondensedResults } from './condensed-results.js';
import { condense } from './tool-result-compressor.js';

const LOG = range(1, 100)
  .map((second) => `2025-01-01 10:00:00 INFO served request ${second} in ${second % 9} ms`)
  .join('\n');
const RUN = { name: 'run', arguments: '{"command":"./serve"}' };

function call(id: string, name: string, args: object): ChatMessage {
  const toolCall = { id, type: 'function' as const, function: { name, arguments: JSON.stringify(args) } };
  return { role: 'assistant', content: null, tool_calls: [toolCall] };
}

function result(id: string, content: ChatMessage['content']): ChatMessage {
  return { role: 'tool', tool_call_id: id, content };
}

/** Results that wait for their thread on a busy machine, too. */
function patientResults(): CondensedResults {
  return new CondensedResults({ limitMs: PATIENCE_MS });
}

function run(messages: readonly ChatMessage[], results = new CondensedResults()): Promise<CondensedMessages> {
  return condenseMessages(messages, [], results, () => Promise.resolve());
}

describe('condenseMessages', () => {
  it('condenses results by the call that they answer, and keeps other messages as the same objects', async () => {
    const messages: ChatMessage[] = [
      { role: 'user', content: LOG },
      call('a', 'run', { command: './serve' }),
      call('b', 'read_file', { path: 'src/a.ts' }),
      result('a', LOG),
      result('b', LOG),
    ];
    const { text, rules } = condense(LOG, RUN);
    const { messages: changed, condensed } = await run(messages);
    expect(condensed).toEqual([{ index: 3, tool: 'run', rules, before: LOG, after: text }]);
    expect(changed[3]).toEqual(result('a', text));
    [0, 1, 2, 4].forEach((index) => expect(changed[index]).toBe(messages[index]));
  });

  it('keeps a table that a command prints where no tool opens files', async () => {
    const table = range(0, 200)
      .map((at) => `${at},item ${at},${at * 3},EUR,yes`)
      .join('\n');
    const messages = [call('a', 'exec_command', { cmd: 'cat prices.csv' }), result('a', table)];
    const results = new CondensedResults();
    const condensedWith = async (...names: readonly string[]): Promise<number> => {
      const tools = names.map((name) => ({ type: 'function' as const, function: { name } }));
      const { condensed } = await condenseMessages(messages, tools, results, () => Promise.resolve());
      return condensed.length;
    };
    expect(await condensedWith('exec_command', 'write_stdin', 'read_mcp_resource', 'view_image')).toBe(0);
    expect(await condensedWith('exec_command', 'read_file')).toBe(1);
    expect(await condensedWith('exec_command', 'str_replace_based_edit_tool')).toBe(1);
    expect(await condensedWith()).toBe(1);
  });

  it('condenses the parts of a result one by one', async () => {
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } };
    const short = { type: 'text' as const, text: 'short ' };
    const messages = [
      call('a', 'run', { command: './serve' }),
      result('a', [short, { type: 'text', text: LOG }, image]),
    ];
    const { text, rules } = condense(LOG, RUN);
    const { messages: changed, condensed } = await run(messages);
    expect(changed[1]).toEqual(result('a', [short, { type: 'text', text }, image]));
    expect(condensed).toEqual([
      { index: 1, tool: 'run', rules, before: `short ${LOG}[image]`, after: `short ${text}[image]` },
    ]);
  });

  it('returns the same array if nothing was condensed', async () => {
    const messages = [result('?', 'short'), result('?', null), { role: 'user' as const, content: LOG }];
    expect(await run(messages)).toEqual({ messages, condensed: [] });
    expect((await run(messages)).messages).toBe(messages);
  });

  it('condenses large results alike, while others have their turns', async () => {
    const large = Array.from({ length: 40 }, (_, at) => `${LOG}\nline ${at}`).join('\n');
    const results = patientResults();
    const order: string[] = [];
    const condensing = run([call('a', 'run', { command: './serve' }), result('a', large)], results).then(
      ({ messages: [, changed] }) => {
        order.push('condensed');
        return changed;
      },
    );
    setImmediate(() => order.push('another'));
    const { text } = condense(large, RUN);
    expect(await condensing).toEqual(result('a', text));
    expect(order).toEqual(['another', 'condensed']);
    expect(results.recall(large, RUN)?.text).toBe(text);
    await results.close();
  });

  it('leaves a large result as it is that cannot be condensed now, and condenses it the next time', async () => {
    const large = `${LOG}\n`.repeat(40);
    const results = patientResults();
    const messages = [result('a', large)];
    const condensing = run(messages, results);
    await results.close();
    expect((await condensing).messages).toBe(messages);
    expect((await run(messages, results)).condensed).toHaveLength(1);
    await results.close();
  });

  it('pauses between results that are not in the cache, and rejects if a pause does', async () => {
    const texts = range(1, 8).map((number) => `${LOG}\n`.repeat(4) + String(number));
    const messages = texts.map((text) => result('?', text));
    const results = new CondensedResults();
    let pauses = 0;
    const pause = (): Promise<void> => {
      pauses++;
      return Promise.resolve();
    };
    const first = await condenseMessages(messages, [], results, pause);
    expect(pauses).toBe(2);
    expect(await condenseMessages(messages, [], results, pause)).toEqual(first);
    expect(pauses).toBe(2);
    const gone = new Error('gone');
    await expect(
      condenseMessages(messages, [], new CondensedResults(), () => Promise.reject(gone)),
    ).rejects.toBe(gone);
  });
});

describe('CondensedResults', () => {
  it('returns results from the cache by text and call, unchanged ones included', () => {
    const results = new CondensedResults();
    expect(results.recall(LOG, RUN)).toBeUndefined();
    const condensed = results.condense(LOG, RUN);
    expect(results.recall(LOG, RUN)).toBe(condensed);
    expect(results.recall(LOG, { ...RUN, name: 'r' })).toBeUndefined();
    expect(results.recall(`${LOG} `, RUN)).toBeUndefined();
    const read = { name: 'read_file', arguments: '{"path":"a.ts"}' };
    results.condense(LOG, read);
    expect(results.recall(LOG, read)).toEqual({ text: LOG, rules: [] });
  });

  it('evicts the least recently used results and stays below its limit', () => {
    const results = new CondensedResults({ maxBytes: 5000 });
    const texts = range(1, 6).map((number) => `${LOG}\n${number}`);
    texts.forEach((text, index) => {
      results.condense(text, RUN);
      expect(results.size).toBeLessThanOrEqual(5000);
      expect(index === 0 || results.recall(texts[0] ?? '', RUN) !== undefined).toBe(true);
    });
    expect(texts.map((text) => results.recall(text, RUN) !== undefined)).toEqual([
      true,
      false,
      false,
      false,
      true,
      true,
    ]);
    const tiny = new CondensedResults({ maxBytes: 100 });
    tiny.condense(LOG, RUN);
    expect(tiny.size).toBe(0);
  });
});
