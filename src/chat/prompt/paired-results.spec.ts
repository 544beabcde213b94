import { describe, expect, it } from '@jest/globals';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { withPairedResults } from './paired-results.js';

const calls = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
});
const found = (id: string, content: ChatMessage['content'] = id): ChatMessage => ({
  role: 'tool',
  tool_call_id: id,
  content,
});
const ask: ChatMessage = { role: 'user', content: 'Look.' };
const asText = (text: string): ChatMessage => ({
  role: 'user',
  content: `Result of an earlier tool call:\n\n${text}`,
});

describe('withPairedResults', () => {
  it('keeps a conversation itself where each result is behind its call', () => {
    const messages = [ask, calls('a', 'b'), found('b'), found('a'), ask, calls('a'), found('a')];
    expect(withPairedResults(messages)).toBe(messages);
  });

  it('has the user say a result whose call is missing or comes later', () => {
    expect(withPairedResults([found('a'), ask, found('b'), calls('b'), found('b')])).toEqual([
      asText('a'),
      ask,
      asText('b'),
      calls('b'),
      found('b'),
    ]);
  });

  it('lets nothing come between calls and their results', () => {
    expect(withPairedResults([calls('a', 'b'), found('x'), found('a'), found('y'), found('b'), ask])).toEqual(
      [calls('a', 'b'), found('a'), found('b'), asText('x'), asText('y'), ask],
    );
  });

  it('puts a result behind its call where the user spoke meanwhile', () => {
    expect(
      withPairedResults([calls('a', 'b'), found('a'), ask, found('b'), calls('c'), ask, found('c')]),
    ).toEqual([calls('a', 'b'), found('a'), found('b'), ask, calls('c'), found('c'), ask]);
  });

  it('gives a call that was never answered a result that says so', () => {
    const none = (id: string): ChatMessage => found(id, 'No result: the call was not finished.');
    expect(withPairedResults([calls('a', 'b'), found('b'), ask, calls('c')])).toEqual([
      calls('a', 'b'),
      found('b'),
      none('a'),
      ask,
      calls('c'),
      none('c'),
    ]);
  });

  it('tells calls with the same id apart by their order', () => {
    const none = found('0', 'No result: the call was not finished.');
    expect(
      withPairedResults([calls('0', '0'), found('0', 'x'), found('0', 'y'), calls('0'), ask, calls('0')]),
    ).toEqual([calls('0', '0'), found('0', 'x'), found('0', 'y'), calls('0'), none, ask, calls('0'), none]);
  });

  it('has the user say a further result of a call', () => {
    expect(withPairedResults([calls('a'), found('a'), ask, found('a', 'again')])).toEqual([
      calls('a'),
      found('a'),
      ask,
      asText('again'),
    ]);
  });

  it('leaves a result out that is given once more', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } } as const;
    const first = [ask, calls('a', 'b'), found('a'), found('b', [image])];
    const second = [ask, calls('c'), found('c')];
    expect(
      withPairedResults([...first, ...second, ask, found('a'), found('b', [{ ...image }]), found('c')]),
    ).toEqual([...first, ...second, ask]);
  });

  it('keeps the parts of a result', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } } as const;
    expect(withPairedResults([found('a', [image])])).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Result of an earlier tool call:' }, image] },
    ]);
  });
});
