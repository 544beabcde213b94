import { describe, expect, it } from '@jest/globals';
import { type UpstreamRequest } from '../../upstream-driver.js';
import { MessageOrders } from './message-orders.js';

const QWEN = 'System message must be at the beginning.';
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };

const request = (...messages: readonly object[]): UpstreamRequest => ({
  prompt: { messages, text: '' },
  model: 'm',
  thinking: true,
  params: { maxTokens: 100, stop: [] },
});

const said = (role: string, content: unknown): object => ({ role, content });

describe('MessageOrders', () => {
  it('makes one message of the system messages that lead', () => {
    const orders = new MessageOrders();
    const messages = [said('system', 'A'), said('developer', 'B'), said('user', 'Hi'), said('system', 'C')];
    expect(orders.of(request(...messages))).toEqual([
      said('system', 'A\n\nB'),
      said('user', 'Hi'),
      said('system', 'C'),
    ]);
    expect(orders.of(request(said('system', 'A'), said('system', 'B')))).toEqual([said('system', 'A\n\nB')]);
  });

  it('keeps the parts of a system message that has some', () => {
    const cached = { type: 'text', text: 'B', cache_control: { type: 'ephemeral' } };
    expect(new MessageOrders().of(request(said('system', 'A'), said('system', [cached])))).toEqual([
      said('system', [{ type: 'text', text: 'A' }, cached]),
    ]);
  });

  it('says later system messages as the user once the model has refused them', () => {
    const orders = new MessageOrders();
    const sent = request(said('system', 'A'), said('user', 'Hi'), said('system', 'B'), said('user', 'Go'));
    expect(orders.learn('m', orders.of(sent), { status: 400, text: QWEN })).toBe(true);
    expect(orders.of(sent)).toEqual([said('system', 'A'), said('user', 'Hi\n\nB\n\nGo')]);
    expect(orders.of({ ...sent, model: 'other' })).toHaveLength(4);
  });

  it('leaves the messages around the results of tools apart', () => {
    const orders = new MessageOrders();
    const sent = request(
      said('user', 'Hi'),
      { role: 'assistant', content: 'One', reasoning_content: 'a' },
      { role: 'assistant', content: null, reasoning_content: 'b', tool_calls: [call, call] },
      { role: 'tool', tool_call_id: 'c', content: '1' },
      { role: 'tool', tool_call_id: 'd', content: '2' },
      said('system', 'B'),
    );
    orders.learn('m', orders.of(sent), {
      status: 400,
      text: 'Conversation roles must alternate user/assistant',
    });
    expect(orders.of(sent)).toEqual([
      said('user', 'Hi'),
      { role: 'assistant', content: 'One', reasoning_content: 'a\n\nb', tool_calls: [call, call] },
      { role: 'tool', tool_call_id: 'c', content: '1' },
      { role: 'tool', tool_call_id: 'd', content: '2' },
      said('user', 'B'),
    ]);
  });

  it('attributes what several users said to none of them', () => {
    const orders = new MessageOrders();
    const sent = request({ ...said('user', 'Hi'), name: 'ann' }, { ...said('user', 'Ho'), name: 'bob' });
    orders.learn('m', orders.of(sent), { status: 400, text: 'roles must alternate' });
    expect(orders.of(sent)).toEqual([said('user', 'Hi\n\nHo')]);
  });

  it('learns nothing where no other order would help', () => {
    const orders = new MessageOrders();
    const sent = request(said('system', 'A'), said('user', 'Hi'));
    const learn = (text: string, asked: UpstreamRequest): boolean =>
      orders.learn('m', orders.of(asked), { status: 400, text });
    expect(learn(QWEN, sent)).toBe(false);
    const late = request(said('user', 'Hi'), said('system', 'B'));
    expect(learn('The model is overloaded.', late)).toBe(false);
    expect(learn(QWEN, late)).toBe(true);
    expect(learn(QWEN, late)).toBe(false);
  });

  it('tells a request that was sent before another one taught of the order to be sent again', () => {
    const orders = new MessageOrders();
    const [one, two] = [1, 2].map((nr) => request(said('user', `Hi ${nr}`), said('system', 'B')));
    const sent = [orders.of(one!), orders.of(two!)];
    expect(sent.map((messages) => orders.learn('m', messages, { status: 400, text: QWEN }))).toEqual([
      true,
      true,
    ]);
  });
});
