import { describe, expect, it } from '@jest/globals';
import { NetworkNotes } from '../../../../test/support/upstream/network-notes.js';
import { LoginRequiredError } from '../../upstream.errors.js';
import { type UpstreamAccount } from '../../upstream-driver.js';
import { RefusedRequests } from './refused-requests.js';

const ACCOUNT = {
  name: 'alice',
  credentials: { user: 'alice', password: 'secret' },
} as unknown as UpstreamAccount;

function refused(...urls: readonly string[]): { notes: NetworkNotes; requests: RefusedRequests } {
  const notes = new NetworkNotes();
  const requests = new RefusedRequests(notes, ACCOUNT);
  urls.forEach((url) => requests.note({ method: 'GET', url, cause: 'not in allowedOrigins' }));
  return { notes, requests };
}

describe('RefusedRequests', () => {
  it('notes each kind of request once, for the account', () => {
    const { notes } = refused('http://a.example/x?secret', 'http://a.example/x?other', 'http://a.example/y');
    const line = {
      method: 'GET',
      account: 'alice',
      secrets: ['secret'],
      error: 'Refused: not in allowedOrigins.',
    };
    expect(notes.ended).toEqual([
      { ...line, url: 'http://a.example/x?secret' },
      { ...line, url: 'http://a.example/y' },
    ]);
  });

  it('notes no more than 100', () => {
    const { notes } = refused(...Array.from({ length: 1000 }, (_, at) => `http://a.example/${at}`));
    expect(notes.ended).toHaveLength(100);
  });

  it('explains a failed login', () => {
    const error = new LoginRequiredError('login_failed', 'It failed.');
    expect(refused().requests.explain(error)).toBe(error);
    const urls = ['https://a.example', 'http://b.example/x', 'http://b.example/y', 'https://c.example'];
    const { fault, message } = refused(...urls, 'http://d.example/', 'http://e.example/').requests.explain(
      error,
    );
    expect([fault, message]).toEqual([
      'login_failed',
      'It failed. Its pages were kept from https://a.example, http://b.example, https://c.example and 2 more: ' +
        'not in allowedOrigins.',
    ]);
  });
});
