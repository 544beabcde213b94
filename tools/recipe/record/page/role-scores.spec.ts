import { describe, expect, it } from '@jest/globals';
import {
  buttonScore,
  type FieldLooks,
  LOG_IN_BUTTON_UNWANTED,
  LOG_IN_BUTTON_WANTED,
  promptScore,
  SEND_BUTTON_UNWANTED,
  SEND_BUTTON_WANTED,
  userScore,
} from './role-scores.js';

const box: FieldLooks = { words: '', y: 600, width: 600, height: 60, isInput: false };

describe('promptScore', () => {
  it.each<[string, Partial<FieldLooks>, Partial<FieldLooks>]>([
    ['a box for messages to another of its size', { words: 'Message the model' }, {}],
    ['a text area to an input of its size', {}, { isInput: true }],
    ['the lower of two', { y: 700 }, { y: 100 }],
    ['the larger of two', { height: 100 }, {}],
    ['a small box for messages to a search field', { words: 'Ask', height: 20 }, { words: 'Search' }],
    ['a box of its own to one for names', { width: 300 }, { words: 'user name' }],
  ])('prefers %s', (_what, better, worse) => {
    expect(promptScore({ ...box, ...better })).toBeGreaterThan(promptScore({ ...box, ...worse }));
  });

  it('takes a search field for a prompt if it asks for messages, too', () => {
    expect(promptScore({ ...box, words: 'Search or ask' })).toBe(promptScore({ ...box, words: 'Ask' }));
  });
});

describe('userScore', () => {
  it('prefers what is named like a user', () => {
    expect(userScore('Your E-Mail')).toBeGreaterThan(userScore('Tenant'));
    expect(userScore('Tenant')).toBeGreaterThan(0);
  });
});

describe('buttonScore', () => {
  const logIn = { wanted: LOG_IN_BUTTON_WANTED, unwanted: LOG_IN_BUTTON_UNWANTED };
  const send = { wanted: SEND_BUTTON_WANTED, unwanted: SEND_BUTTON_UNWANTED };

  it.each([
    ['Log in', true],
    ['Sign-in', true],
    ['icon-arrow', false],
    ['Forgot password?', false],
    ['Sign in with Google', false],
  ])('takes %j for a button that logs in: %j', (words, isTaken) => {
    expect(buttonScore(words, false, logIn) > 0).toBe(isTaken);
  });

  it.each([
    ['Send message', true],
    ['icon-arrow-up', true],
    ['Stop generating', false],
    ['Attach a file', false],
    ['Send a voice message', false],
  ])('takes %j for a button that sends a prompt: %j', (words, isTaken) => {
    expect(buttonScore(words, false, send) > 0).toBe(isTaken);
  });

  it('takes the button that submits a form, unless its words speak against it', () => {
    expect(buttonScore('', true, send)).toBeGreaterThan(0);
    expect(buttonScore('Search', true, send)).toBeLessThan(0);
  });
});
