import { expect, it } from '@jest/globals';
import { LoginRequiredError } from '../upstream.errors.js';
import { type WarmPage } from './account/account-contexts.js';
import { type AskedPrompt } from './conversation/control-question.js';
import { withBlame } from './refused-prompt.js';

it('gives a sign of life as the look at the account begins: the refusal may have come late', async () => {
  const seen: string[] = [];
  const asked = {
    site: { settings: { UPSTREAM_FIRST_BYTE_MS: 60_000, UPSTREAM_IDLE_MS: 60_000 } },
    showLife: () => seen.push('life'),
  } as unknown as AskedPrompt;
  const used = {
    page: { guard: { gone: new AbortController().signal } },
    context: { isOutdated: () => false },
  } as unknown as WarmPage;
  const refusal = new LoginRequiredError('blocked', 'The site shows a challenge.', {
    isOfConversation: true,
  });
  const open = (): Promise<WarmPage> => {
    seen.push('open');
    return Promise.reject(new Error('The page does not open.'));
  };
  expect(await withBlame(refusal, used, asked, { open, dismiss: () => undefined })).toBe(refusal);
  expect(seen).toEqual(['life', 'open']);
});
