import { createHash } from 'node:crypto';
import { Observable } from 'rxjs';
import { type Pool } from 'undici';
import { Settings } from '../../common/config/settings.js';
import { type NetworkExchange, type NetworkLog, NoNetworkLog } from '../../common/network/network-log.js';
import { openPool } from '../../common/network/proxy/outbound-pool.js';
import { proxyFor, type ProxySettings } from '../../common/network/proxy/outbound-proxy.js';
import { commaList } from '../../common/text/comma-list.js';
import { type Clock } from '../../common/time/clock.js';
import { FillerCounter } from '../answer-progress.js';
import { connectFailure } from '../connect-failure.js';
import { type CredentialProblem, unusableCredentials } from '../credential-problem.js';
import { UnavailableError, type UpstreamError } from '../upstream.errors.js';
import {
  type AccountSeed,
  type CredentialField,
  type SendContext,
  type UpstreamAccount,
  type UpstreamBatch,
  UpstreamDriver,
  type UpstreamModel,
  type UpstreamRequest,
  UpstreamSession,
} from '../upstream-driver.js';
import { fitsHeader, keyProblem } from './api-key.js';
import { CompletionExchange } from './completion-exchange.js';
import { excerptOf, failureOf, readErrorBody } from './error-body.js';
import { readListText, readModelList } from './model-list.js';
import { RequestForms } from './request/request-forms.js';
import { limitWaitMs, type ResponseHeaders, retryAfterMs } from './retry-after.js';
import { type Failure } from './upstream-failure.js';

const CONNECT_TIMEOUT_MS = 5000;
/**
 * Time after which an idle connection is closed, even if the upstream would keep it for minutes: after a rush there are as
 * many as there were requests at once.
 */
const IDLE_CONNECTION_MS = 5000;

/** Gateways that can use one key at a time; more are rare, and each of them rounds its part of the limits down. */
const KEY_SHARES = 8;

/** Keys with which the list of models is asked for at most. */
const MAX_KEYS_FOR_LIST = 10;

export interface OpenAiDriverOptions {
  /** Base URL that ends in `/v1`; a query, where a server wants one, is kept. */
  readonly baseUrl: string;
  /** `UPSTREAM_API_KEYS`: keys separated by commas; without any, one account that sends none. */
  readonly apiKeys: string;
  readonly clock: Clock;
  /** Limits that are read at the moment of use; the defaults of `Settings` if missing. */
  readonly settings?: Pick<Settings, 'UPSTREAM_FILLER_BYTES' | 'UPSTREAM_FENCE'> & ProxySettings;
  /** Log of the requests; none by default. */
  readonly network?: NetworkLog | undefined;
}

/**
 * Talks to any OpenAI-format API, one key per account, over kept-alive connections. Its only timeout is that for
 * connecting: the dispatch watches for silence and aborts.
 */
export class OpenAiDriver extends UpstreamDriver {
  private readonly upstream: Upstream;

  constructor(private readonly options: OpenAiDriverOptions) {
    super();
    const url = new URL(options.baseUrl);
    const settings = options.settings ?? new Settings();
    this.upstream = {
      pool: openPool(url.origin, proxyFor(url, settings), CONNECT_TIMEOUT_MS, {
        keepAliveMaxTimeout: IDLE_CONNECTION_MS,
      }),
      origin: url.origin,
      path: `${withoutSlash(url.pathname)}/chat/completions${url.search}`,
      modelsPath: `${withoutSlash(url.pathname)}/models${url.search}`,
      forms: new RequestForms(),
      clock: options.clock,
      network: options.network ?? new NoNetworkLog(),
      settings,
    };
  }

  /** A key may be used from several places. */
  override get shares(): number {
    return KEY_SHARES;
  }

  /** Of a key only its form is known. */
  override get opensProven(): boolean {
    return false;
  }

  override get credentialFields(): readonly CredentialField[] {
    return [{ name: 'key', isRequired: true }];
  }

  /** Sent without a key, a prompt would be refused for a reason that says less. */
  override credentialProblem({ key }: AccountSeed['credentials']): CredentialProblem | undefined {
    return keyProblem(key);
  }

  /** One account per key, named by the key's digest, so that its name survives changes to the list. */
  seeds(): readonly AccountSeed[] {
    const keys = new Set(commaList(this.options.apiKeys));
    return keys.size === 0 ? [{ name: 'keyless', credentials: { key: '' } }] : [...keys].map(toSeed);
  }

  /** Asks with one key after another, until one is not refused. */
  override async listModels(signal: AbortSignal): Promise<readonly UpstreamModel[]> {
    const keys = this.spareCredentials().map(({ key = '' }) => key);
    const [first = '', ...others] = keys.filter(fitsHeader).slice(0, MAX_KEYS_FOR_LIST);
    let answer = await this.askForModels(first, signal);
    for (const key of others) {
      if (answer.status !== 401 && answer.status !== 403) {
        break;
      }
      answer = await this.askForModels(key, signal);
    }
    if (answer.status !== 200) {
      throw new UnavailableError(`upstream_status_${answer.status}`, 'The upstream lists no models.');
    }
    return readModelList(answer.text);
  }

  async open(account: UpstreamAccount, signal: AbortSignal): Promise<UpstreamSession> {
    signal.throwIfAborted();
    const problem = this.credentialProblem(account.credentials);
    if (problem) {
      throw unusableCredentials(problem);
    }
    return new OpenAiSession(this.upstream, account.name, account.credentials.key ?? '');
  }

  async forget(): Promise<void> {
    // A driver keeps nothing per account: keys live in the sessions, and connections are shared.
  }

  /** Closes all connections, running answers included. */
  async close(): Promise<void> {
    await this.upstream.pool.destroy();
  }

  private async askForModels(key: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
    const { pool, modelsPath: path } = this.upstream;
    const { statusCode, body } = await pool
      .request({ method: 'GET', path, headers: headersWith(key), signal })
      .catch((error: Error) => {
        throw signal.aborted ? error : connectFailure(error);
      });
    return { status: statusCode, text: await readListText(body) };
  }
}

/** State that the sessions of a driver share. */
interface Upstream {
  readonly pool: Pool;
  readonly origin: string;
  readonly path: string;
  readonly modelsPath: string;
  readonly forms: RequestForms;
  readonly clock: Clock;
  readonly network: NetworkLog;
  readonly settings: Pick<Settings, 'UPSTREAM_FILLER_BYTES' | 'UPSTREAM_FENCE'>;
}

class OpenAiSession extends UpstreamSession {
  private readonly headers: Readonly<Record<string, string>>;
  private readonly secrets: readonly string[];
  /** Aborts the request under way. */
  private abort: (() => void) | undefined;
  private isClosed = false;

  constructor(
    private readonly upstream: Upstream,
    private readonly account: string,
    key: string,
  ) {
    super();
    this.secrets = [key];
    this.headers = {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      ...headersWith(key),
    };
  }

  get isUsable(): boolean {
    return !this.isClosed;
  }

  /** By its status, before any part of a body. */
  override get tellsLimitsFirst(): boolean {
    return true;
  }

  send(request: UpstreamRequest, context: SendContext): Observable<UpstreamBatch> {
    const { signal, flow } = context;
    return new Observable((subscriber) => {
      if (signal.aborted || this.isClosed) {
        subscriber.error(cancelled(signal));
        return undefined;
      }
      const body = this.upstream.forms.bodyOf(request);
      const headers = this.headersFor(context);
      const exchange = new CompletionExchange(subscriber, flow, {
        readFailure: (...response) => this.refusal(request, ...response),
        readError: (error) => this.toError(request, failureOf(error), JSON.stringify(error) ?? ''),
        answered: (reasoningName) => this.upstream.forms.answered(request, reasoningName),
        filler: new FillerCounter(() => this.upstream.settings.UPSTREAM_FILLER_BYTES),
        record: this.record(body, headers, context),
        permit: context.permit,
      });
      const abort = (): void => {
        exchange.cancel();
        subscriber.error(cancelled(signal));
      };
      signal.addEventListener('abort', abort);
      this.abort = abort;
      const { pool, path } = this.upstream;
      pool.dispatch({ method: 'POST', path, headers, body, headersTimeout: 0, bodyTimeout: 0 }, exchange);
      return () => {
        signal.removeEventListener('abort', abort);
        this.abort = undefined;
        exchange.cancel();
      };
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.abort?.();
  }

  private headersFor({ permit, traceparent }: SendContext): Readonly<Record<string, string>> {
    const fence = permit?.fence;
    const isFenced = fence !== undefined && this.upstream.settings.UPSTREAM_FENCE;
    return !isFenced && traceparent === undefined
      ? this.headers
      : {
          ...this.headers,
          ...(isFenced && { 'x-gateway-fence': fence }),
          ...(traceparent !== undefined && { traceparent }),
        };
  }

  private record(
    body: string,
    headers: Readonly<Record<string, string>>,
    { requestId }: SendContext,
  ): NetworkExchange {
    const { network, origin, path } = this.upstream;
    return network.begin({
      requestId,
      account: this.account,
      method: 'POST',
      url: origin + path,
      headers,
      body,
      isOwnBody: true,
      bytes: Buffer.byteLength(body),
      secrets: this.secrets,
    });
  }

  private refusal(
    request: UpstreamRequest,
    status: number,
    headers: ResponseHeaders,
    body: string,
  ): UpstreamError {
    const words = readErrorBody(body);
    const now = this.upstream.clock.now();
    // Beside a failure, the resets are those of limits that are not reached.
    const waitMs = status < 500 ? limitWaitMs(headers, words.text, now) : retryAfterMs(headers, now);
    return this.toError(request, { status, ...words, waitMs }, body);
  }

  /** The typed error for a failure, with the upstream's message as the cause, for the operator. */
  private toError(request: UpstreamRequest, failure: Failure, body: string): UpstreamError {
    const error = this.upstream.forms.judge(request, failure);
    error.cause = excerptOf(body, this.secrets);
    return error;
  }
}

function headersWith(key: string): Record<string, string> {
  return {
    'accept-encoding': 'identity',
    'user-agent': 'chat-completion-gateway',
    ...(key !== '' && { authorization: `Bearer ${key}` }),
  };
}

function cancelled({ reason }: AbortSignal): UnavailableError {
  return new UnavailableError('aborted', 'The request was cancelled.', { cause: reason });
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function toSeed(key: string): AccountSeed {
  const digest = createHash('sha256').update(key).digest('hex');
  return { name: `key-${digest.slice(0, 8)}`, credentials: { key } };
}
