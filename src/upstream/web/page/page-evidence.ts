import { LoginRequiredError } from '../../upstream.errors.js';
import { type PageGuard } from './page-guard.js';

const EVIDENCE_TIMEOUT_MS = 3000;

/**
 * The error as one of the account, with evidence for the operator: address, title and screenshot, in which the page itself
 * masks passwords.
 * @param options.keepsTexts false for a page that shows texts of callers where none may be kept: the address alone
 */
export async function withEvidence(
  error: LoginRequiredError,
  guard: PageGuard,
  { keepsTexts = true } = {},
): Promise<LoginRequiredError> {
  if (error.evidence) {
    return error;
  }
  const { page } = guard;
  // A query may carry tokens.
  const url = page.url().split(/[?#]/, 1)[0] ?? '';
  if (!keepsTexts) {
    return new LoginRequiredError(error.fault, error.message, { evidence: { url, title: '' } });
  }
  const limits = { timeoutMs: EVIDENCE_TIMEOUT_MS, what: 'take evidence' };
  const [title, screenshot] = await Promise.all([
    guard.run(page.title(), limits).catch(() => ''),
    guard.run(page.screenshot({ type: 'png' }), limits).catch(() => undefined),
  ]);
  return new LoginRequiredError(error.fault, error.message, {
    evidence: {
      url,
      title,
      ...(screenshot && { screenshot }),
    },
  });
}
