import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../test/support/watch/machine-pace.js';
import { isShownWithResults, mediaRefusedAt, newestOwnMessage, withoutReminders } from './own-message.js';

const user = { role: 'user', content: 'x' };
const assistant = { role: 'assistant', content: 'x' };
const tool = { role: 'tool', content: 'x' };

describe('newestOwnMessage', () => {
  it.each([
    ['the newest message of the user', [user, assistant, user, assistant], 2],
    ['the one before results', [user, assistant, tool], 0],
    ['none that agents put behind results', [user, assistant, tool, user, assistant, tool, user], 0],
    ['one that follows what was put there', [user, assistant, tool, user, user], 4],
    ['the newest of those behind results without another', [tool, user, assistant, tool, user, assistant], 4],
    ['no message where only agents speak', [assistant, tool], -1],
    ['no message of something that is none', [null, 'user', 3], -1],
  ])('is %s', (_what, messages, index) => {
    expect(newestOwnMessage(messages)).toBe(index);
  });
});

describe('isShownWithResults', () => {
  it('is true of a message of the user right behind the result of a tool', () => {
    const messages = [user, tool, assistant, tool, user, user];
    expect(messages.findIndex((_, index) => isShownWithResults(messages, index))).toBe(4);
    expect(isShownWithResults(messages, 5)).toBe(false);
  });
});

describe('mediaRefusedAt', () => {
  it('is the newest message of the user unless that stands behind results', () => {
    expect(mediaRefusedAt([user, assistant, user, assistant, tool])).toBe(2);
    expect(mediaRefusedAt([user, assistant, tool, user])).toBeUndefined();
    expect(mediaRefusedAt([assistant, tool])).toBeUndefined();
  });
});

describe('withoutReminders', () => {
  it.each([
    ['Hello.', 'Hello.'],
    ['<system-reminder>\nBe good.\n</system-reminder>\n\nHello.', '\n\nHello.'],
    ['a<system-reminder>b</system-reminder>c<system-reminder>d</system-reminder>e', 'ace'],
    ['<system-reminder>all of it</system-reminder>', ''],
    ['What is a <system-reminder> for?', 'What is a <system-reminder> for?'],
    ['</system-reminder> a <system-reminder>', '</system-reminder> a <system-reminder>'],
  ])('makes of %j %j', (text, rest) => {
    expect(withoutReminders(text)).toBe(rest);
  });

  it('reads a text once, however many reminders begin in it', async () => {
    const text = '<system-reminder>'.repeat(200_000);
    await cpuPace.expectOnceWithin(() => cpuMs(() => expect(withoutReminders(text)).toBe(text)), 1000);
  });
});
