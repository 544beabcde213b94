import { describe, expect, it } from '@jest/globals';
import { type ChatMessage } from '../interfaces/chat-message.js';
import { resultsToGuard } from './arming.js';

const LONG = 'The quick brown fox jumps over the lazy dog. '.repeat(3);
const PATHS = Array.from({ length: 12 }, (_, index) => `src/chat/prompt/part-${index}.ts`).join('\n');

function user(content: string): ChatMessage {
  return { role: 'user', content };
}

function tool(content: ChatMessage['content']): ChatMessage {
  return { role: 'tool', tool_call_id: 'call_1', content };
}

const CALL: ChatMessage = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }],
};

describe('resultsToGuard', () => {
  it('returns the results behind the last user message, oldest first', () => {
    const messages = [
      user('Look at a.'),
      CALL,
      tool(`old ${LONG}`),
      { role: 'assistant', content: 'Done.' } as const,
      user('What about b?'),
      CALL,
      tool(`first ${LONG}`),
      CALL,
      tool('short'),
    ];
    expect(resultsToGuard(messages)).toEqual([
      { message: 6, text: `first ${LONG}` },
      { message: 8, text: 'short' },
    ]);
  });

  it('adds the condensed form where it differs', () => {
    const messages = [user('Look.'), CALL, tool(LONG), tool(`${LONG}!`)];
    const sent = [user('Look.'), CALL, tool('condensed'), tool(`${LONG}!`)];
    expect(resultsToGuard(messages, sent)).toEqual([
      { message: 2, text: LONG, condensed: 'condensed' },
      { message: 3, text: `${LONG}!` },
    ]);
  });

  it('says where the user speaks of layout', () => {
    expect(resultsToGuard([user('Wrap it to 60 characters.'), CALL, tool(LONG)])).toEqual([
      { message: 2, text: LONG, isLayoutAsked: true },
    ]);
  });

  it.each([
    'Strip the comments, please.',
    'Entferne die alten Endpunkte.',
    'Supprime la dernière méthode.',
    'Quita los comentarios.',
    'Remova os comentários.',
    'Elimina i commenti.',
    'Убери комментарии.',
  ])('says where the user speaks of taking something out: %s', (asked) => {
    expect(resultsToGuard([user(asked), CALL, tool(LONG)])).toEqual([
      { message: 2, text: LONG, isRemovalAsked: true },
    ]);
  });

  it('joins the parts of a result', () => {
    const parts = [
      { type: 'text', text: LONG },
      { type: 'text', text: 'end' },
    ] as const;
    expect(resultsToGuard([user('Look.'), CALL, tool(parts)])).toEqual([{ message: 2, text: `${LONG}end` }]);
  });

  it('returns all results of a conversation without a user message', () => {
    expect(resultsToGuard([CALL, tool(LONG)])).toEqual([{ message: 1, text: LONG }]);
  });

  it.each<[string, ChatMessage[]]>([
    ['there is no result', [user('Hi')]],
    [
      'the results came before the last message of the user',
      [user('Look.'), CALL, tool(LONG), { role: 'assistant', content: 'Done.' }, user('Thanks!')],
    ],
    ['no result has 120 characters', [user('Look.'), CALL, tool('x'.repeat(119)), tool('y'.repeat(119))]],
    ['the user asks for the text', [user('Show me the file.'), CALL, tool(LONG)]],
    [
      'the user asks for the text in parts',
      [{ role: 'user', content: [{ type: 'text', text: 'Print the file.' }] }, CALL, tool(LONG)],
    ],
    ['a list of paths is what the user asks for', [user('Find all files in src.'), CALL, tool(PATHS)]],
  ])('guards nothing if %s', (_what, messages) => {
    expect(resultsToGuard(messages)).toEqual([]);
  });

  it('guards lists of records unless they are plainly what the user asks for', () => {
    const text = Array.from({ length: 20 }, (_, at) => `SETTING_${at}=value-number-${at}`).join('\n');
    expect(resultsToGuard([user('List all settings.'), CALL, tool(text)])).toEqual([]);
    const guarded = [{ message: 2, text }];
    expect(resultsToGuard([user('Which files set wrong values?'), CALL, tool(text)])).toEqual(guarded);
    expect(resultsToGuard([user('Why do all tests fail? Fix it.'), CALL, tool(text)])).toEqual(guarded);
    expect(resultsToGuard([user('List all settings.'), CALL, tool(text), user('Fix the port.')])).toEqual(
      guarded,
    );
  });

  it('guards a result of 120 characters', () => {
    const text = 'x'.repeat(120);
    expect(resultsToGuard([user('Look.'), CALL, tool(text)])).toEqual([{ message: 2, text }]);
  });

  it('guards other results where a list is asked for, and lists where none is', () => {
    const asked = user('Which files are wrong?');
    expect(resultsToGuard([asked, CALL, tool(PATHS), tool(LONG)])).toEqual([{ message: 3, text: LONG }]);
    expect(resultsToGuard([user('Is it done?'), CALL, tool(PATHS)])).toEqual([{ message: 2, text: PATHS }]);
  });
});

describe('resultsToGuard with messages right behind results', () => {
  const REMINDER = '<system-reminder>\nNever print the file.\nPrint the file.\n</system-reminder>';
  const guarded = [{ message: 2, text: LONG }];

  it.each<[string, ChatMessage['content']]>([
    ['a reminder', REMINDER],
    ['a picture', [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }]],
    ['words', 'Please go on.'],
  ])('guards the results before %s', (_what, content) => {
    expect(resultsToGuard([user('What is it?'), CALL, tool(LONG), { role: 'user', content }])).toEqual(
      guarded,
    );
  });

  it('goes by what is asked there, too', () => {
    const asked = user('What is it?');
    expect(resultsToGuard([asked, CALL, tool(LONG), user('Show me the file.')])).toEqual([]);
    expect(resultsToGuard([asked, CALL, tool(LONG), user(`${REMINDER} Show me the file.`)])).toEqual([]);
    expect(resultsToGuard([asked, CALL, tool(PATHS), user('Find all files in src.')])).toEqual([]);
  });

  it('does not take what an agent says for what the user asks', () => {
    const asked = user(`${REMINDER}\n\nWhat is it?`);
    expect(resultsToGuard([asked, CALL, tool(LONG), user(REMINDER)])).toEqual(guarded);
  });
});
