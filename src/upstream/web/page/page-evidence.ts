import { LoginRequiredError } from '../../upstream.errors.js';
import { type PageGuard } from './page-guard.js';

const EVIDENCE_TIMEOUT_MS = 3000;

/** The error with evidence for the operator: address, title and screenshot, in which the page itself masks passwords. */
export async function withEvidence(error: LoginRequiredError, guard: PageGuard): Promise<LoginRequiredError> {
  if (error.evidence) {
    return error;
  }
  const { page } = guard;
  const limits = { timeoutMs: EVIDENCE_TIMEOUT_MS, what: 'take evidence' };
  const [title, screenshot] = await Promise.all([
    guard.run(page.title(), limits).catch(() => ''),
    guard.run(page.screenshot({ type: 'png' }), limits).catch(() => undefined),
  ]);
  return new LoginRequiredError(error.reason, error.message, {
    // A query may carry tokens.
    url: page.url().split(/[?#]/, 1)[0] ?? '',
    title,
    ...(screenshot ? { screenshot } : {}),
  });
}
