import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
import { RefusedMembers } from './refused-members.js';

const USER = { role: 'user', content: 'Hi', name: 'ann' };
const SAID = { role: 'assistant', content: 'Ho', reasoning_content: 'Why', reasoning_details: [] };
const MESSAGES = [USER, SAID];

const GROQ =
  "invalid_request_error; 'messages.1' : for 'role:assistant' the following must be satisfied" +
  "[('messages.1' : property 'reasoning_content' is unsupported)]";
const MISTRAL =
  'invalid_request_error; extra_forbidden; Extra inputs are not permitted; body; messages; 1; assistant; reasoning_content';

/** The refusal of a request that holds the word `incompatible`. */
const refused = (text: string, status = 400): { status: number; text: string; quoted: string } => ({
  status,
  text,
  quoted: 'incompatible',
});

describe('RefusedMembers', () => {
  it.each([
    ['Groq', GROQ, 400],
    ['Mistral', MISTRAL, 422],
    [
      'Mistral, of a body cut short',
      '{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","messages",1,"assistant",' +
        '"reasoning_content"],"msg":"Extra inputs are not permitted","input":"I',
      422,
    ],
    [
      'Cerebras',
      "wrong_api_format; messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported",
      400,
    ],
    [
      'serde',
      'messages[1]: unknown field `reasoning_content`, expected one of `role`, `content`, `name` at line 1',
      400,
    ],
  ])('leaves a member out of all messages to the model after the words of %s', (_server, text, status) => {
    const members = new RefusedMembers();
    expect(members.taken('m', MESSAGES)).toBe(MESSAGES);
    expect(members.learn('m', MESSAGES, refused(text, status))).toBe(true);
    const rest = [USER, { role: 'assistant', content: 'Ho', reasoning_details: [] }];
    expect(members.taken('m', MESSAGES)).toEqual(rest);
    expect(members.learn('m', rest, refused(text, status))).toBe(false);
    expect(members.taken('other', MESSAGES)).toBe(MESSAGES);
  });

  it.each([
    "Unknown parameter: 'messages[0].content[0].reasoning_content'.",
    "Unknown parameter: 'prediction.reasoning_content'.",
  ])('learns nothing from a member of another member: %s', (text) => {
    const parts = [{ type: 'text', text: 'Hi', reasoning_content: 1 }];
    const sent = [{ role: 'user', content: parts }, SAID];
    const fields = { prediction: { reasoning_content: 1 } };
    const members = new RefusedMembers();
    expect(members.learn('m', sent, refused(text), fields)).toBe(false);
    expect(members.taken('m', MESSAGES)).toBe(MESSAGES);
  });

  it('learns of one member after the other', () => {
    const members = new RefusedMembers();
    for (const name of ['reasoning_content', 'reasoning_details', 'name']) {
      const sent = members.taken('m', MESSAGES);
      expect(members.learn('m', sent, refused(GROQ.replace('reasoning_content', name)))).toBe(true);
    }
    expect(members.taken('m', MESSAGES)).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Ho' },
    ]);
  });

  it.each<[string, string, number]>([
    ['another complaint', 'The model is overloaded.', 400],
    ['a complaint about the value', 'messages.1.reasoning_content: Input should be a valid string', 422],
    ['another status', GROQ, 500],
    ['a member that every server knows', GROQ.replace('reasoning_content', 'content'), 400],
    ['a member that was not sent', GROQ.replace('reasoning_content', 'audio'), 400],
    ['a member of a part', 'extra_forbidden; body; messages; 0; content; 0; name', 422],
    ['a name that is a word', 'The name of an unknown function', 400],
    ['the words of the caller', "Invalid metadata 'incompatible': see reasoning_content", 400],
    ['a copy of the request', "[{'msg': 'no', 'input': 'unsupported reasoning_content'}]", 422],
  ])('learns nothing from %s', (_what, text, status) => {
    const members = new RefusedMembers();
    expect(members.learn('m', MESSAGES, refused(text, status))).toBe(false);
    expect(members.taken('m', MESSAGES)).toBe(MESSAGES);
  });

  it('sends a member again that the model wants after all', () => {
    const members = new RefusedMembers();
    members.learn('m', MESSAGES, refused(GROQ));
    members.forget('m', 'reasoning_content');
    expect(members.taken('m', MESSAGES)).toEqual(MESSAGES);
  });

  it('forgets the oldest of more members than it keeps', () => {
    const members = new RefusedMembers();
    members.learn('m', MESSAGES, refused(GROQ));
    for (let made = 0; made < 100; made++) {
      const odd = `odd_${made}`;
      members.learn('m', [{ [odd]: 1 }], refused(GROQ.replace('reasoning_content', odd)));
    }
    expect(members.taken('m', MESSAGES)).toEqual(MESSAGES);
    expect(members.taken('m', [{ odd_0: 1, odd_99: 1 }])).toEqual([{}]);
  });

  it('is not held up by the names that a caller gives to members', async () => {
    const odd = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`odd_${at}`, 1]));
    const sent = [{ ...SAID, ...odd, [`${'long_'.repeat(20_000)}`]: 1, '(': 1 }];
    const members = new RefusedMembers();
    let isLearned = false;
    const took = cpuMs(() => {
      isLearned = members.learn('m', sent, refused(GROQ));
    });
    expect(isLearned).toBe(true);
    await cpuPace.expectWithin(took, 1000);
  });
});
