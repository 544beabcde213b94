import { type NetworkLog } from '../../../common/network/network-log.js';
import { secretsOf } from '../../credential-secrets.js';
import { LoginRequiredError } from '../../upstream.errors.js';
import { type UpstreamAccount } from '../../upstream-driver.js';
import { type RefusedRequest } from '../browser/boundary/boundary-proxy.js';

/** Of one context; a hostile page could push all else out of the log. */
const MAX_NOTED = 100;
/** Origins that a message names. */
const MAX_NAMED = 3;

/** Requests of one context's pages that the boundary refused, each kind noted once in the log of the network. */
export class RefusedRequests {
  private readonly noted = new Set<string>();
  /** Origins in the order of their first refusal. */
  private readonly origins = new Set<string>();

  constructor(
    private readonly log: NetworkLog,
    private readonly account: UpstreamAccount,
  ) {}

  note({ method, url, cause }: RefusedRequest): void {
    const [address = ''] = url.split('?', 1);
    const kind = `${method} ${address}`;
    if (this.noted.size >= MAX_NOTED || this.noted.has(kind)) {
      return;
    }
    this.noted.add(kind);
    this.origins.add(URL.canParse(address) ? new URL(address).origin : address);
    const { name, credentials } = this.account;
    this.log.begin({ account: name, method, url, secrets: secretsOf(credentials) }).end(`Refused: ${cause}.`);
  }

  /** The error of a login with what may have caused it: its page was kept from origins that it asked for. */
  explain(error: LoginRequiredError): LoginRequiredError {
    if (this.origins.size === 0) {
      return error;
    }
    const named = [...this.origins].slice(0, MAX_NAMED).join(', ');
    const rest = this.origins.size > MAX_NAMED ? ` and ${this.origins.size - MAX_NAMED} more` : '';
    const message = `${error.message} Its pages were kept from ${named}${rest}: not in allowedOrigins.`;
    return new LoginRequiredError(error.fault, message, { evidence: error.evidence });
  }
}
