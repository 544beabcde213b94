import { type Observable } from 'rxjs';
import { type Modality } from '../common/config/model-table.js';
import { type PageVisitor } from '../common/live-page/page-visitor.js';
import { type CredentialProblem } from './credential-problem.js';
import { type FlowGate } from './flow-gate.js';
import { type SendPermit } from './send-permit.js';
import { RejectedError, type UpstreamError } from './upstream.errors.js';

/**
 * A report of an upstream that answers, in order: `accepted` (it took the prompt: its response was a success),
 * then pieces and at most one `usage`, then `done`. An Observable that completes without `done` was cut off.
 */
export type UpstreamEvent =
  | { readonly type: 'accepted' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** The model's refusal to answer, from upstreams that keep it apart from text. */
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'toolCall'; readonly delta: ToolCallDelta }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | {
      readonly type: 'done';
      readonly reason: FinishReason;
      /** Set if the upstream named no reason, so that the answer may be less than the whole one. */
      readonly isAssumed?: true;
    };

/** The events of one read from the upstream: one emission per read, never per event. */
export type UpstreamBatch = readonly UpstreamEvent[];

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** A piece of a native tool call; `name` and `id` come with the first piece of an index; some upstreams send the name later. */
export interface ToolCallDelta {
  readonly index: number;
  readonly id?: string;
  readonly name?: string;
  readonly arguments: string;
}

export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  readonly cachedTokens: number;
  /** Of the prompt, written to a cache; missing if the upstream does not say. */
  readonly cacheWriteTokens?: number;
}

/** An image that goes beside a prompt's text. */
export interface PromptImage {
  /** E.g. `image/png`. */
  readonly type: string;
  readonly base64: string;
}

/** A conversation in the two shapes that upstreams take: messages, and one text for a chat box. */
export interface Prompt {
  /** The caller's messages in OpenAI's wire form, validated. */
  readonly messages: readonly object[];
  /** The same conversation rendered to one text, made at the first read. */
  readonly text: string;
  /** Those that the text names `[image 1]`, `[image 2]`, …; for a driver with an `imageLimit` alone. */
  readonly images?: readonly PromptImage[];
}

export interface SamplingParams {
  /** Missing, as `topP`, if the caller leaves it to the model. */
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxTokens: number;
  /** Set if `maxTokens` is only assumed: it is not sent to a model that knows its own limit. */
  readonly isLimitAssumed?: boolean;
  readonly stop: readonly string[];
  readonly seed?: number;
  /** Further fields in wire form, for upstreams that understand them. */
  readonly further?: Readonly<Record<string, unknown>>;
}

/** A model as the upstream lists it; what it does not say is missing. */
export interface UpstreamModel {
  readonly id: string;
  /** Context window in tokens. */
  readonly contextWindow?: number;
  /** Limit of one answer in tokens. */
  readonly maxOutputTokens?: number;
  readonly modalities?: readonly Modality[];
}

export interface UpstreamRequest {
  readonly prompt: Prompt;
  /** The model's name at the upstream. */
  readonly model: string;
  readonly thinking: boolean;
  readonly params: SamplingParams;
  /** For upstreams that take tools natively; undefined when there are none or they are emulated in the prompt. */
  readonly tools?: NativeTools;
  /** `response_format` of the caller in wire form, for upstreams that understand it. */
  readonly responseFormat?: object;
}

/** Tool definitions and choice in OpenAI's wire form, validated. */
export interface NativeTools {
  readonly definitions: readonly object[];
  readonly choice: string | object;
  readonly parallel: boolean;
}

/** One login (or API key), as a driver sees it. */
export interface UpstreamAccount {
  readonly id: string;
  readonly name: string;
  /** Number of the account's login, from 0. Pages and cookies of an earlier login must not serve a later one. */
  readonly login: number;
  /** E.g. `{ user, password }` or `{ key }`; decrypted, in memory only. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Login state from `saveState` (cookies and the like), or undefined before the first login. */
  loadState(): Promise<string | undefined>;
  /** Keeps login state encrypted in the store, so that a restart needs no new login. */
  saveState(state: string): void;
}

/** A credential that accounts have, e.g. `key`. */
export interface CredentialField {
  readonly name: string;
  /** Whether nothing can be done with an account that lacks it. */
  readonly isRequired: boolean;
}

/** An account from the configuration, beside those that the operator adds. */
export interface AccountSeed {
  readonly name: string;
  readonly credentials: Readonly<Record<string, string>>;
}

export interface SendContext {
  /** Aborted when the caller leaves or a deadline passes: the driver cancels the upstream's work at once. */
  readonly signal: AbortSignal;
  /** Closed while the caller reads slower than the upstream writes: the driver stops reading. */
  readonly flow: FlowGate;
  /** Id of the caller's request, for the log of network traffic. */
  readonly requestId?: string | undefined;
  /** Permission to use the account, checked by the driver right before the prompt leaves; missing where it cannot be lost. */
  readonly permit?: SendPermit | undefined;
  /**
   * Asked by a driver that sends the prompt a second time; counts that like an attempt. Missing where nothing bounds it.
   * @returns false if the request has used its attempts up
   */
  readonly mayRepeat?: (() => boolean) | undefined;
  /** Header `traceparent` for an upstream that is an API, so that its spans join the caller's trace. */
  readonly traceparent?: string | undefined;
}

/** One live conversation slot of an account. Serves one request at a time; the pool holds it between requests. */
export abstract class UpstreamSession {
  /** False once the slot can serve no further request; the pool then closes it. */
  abstract readonly isUsable: boolean;

  /** Whether it takes a prompt at once; others are preferred while it does not. */
  get isReady(): boolean {
    return true;
  }

  /** Whether it reports limits before it accepts a prompt rather than within the answer. */
  get tellsLimitsFirst(): boolean {
    return false;
  }

  /**
   * Sends one prompt in a fresh conversation. Errors are the classes of `upstream.errors.ts`.
   * Unsubscribing (or aborting the signal) cancels the upstream's work.
   */
  abstract send(request: UpstreamRequest, context: SendContext): Observable<UpstreamBatch>;

  /** Releases the slot's pages and connections. Never throws, may be called twice. */
  abstract close(): Promise<void>;
}

/** A way to reach one kind of provider. A driver never retries unasked (`mayRepeat`) and never decides a cooldown. */
export abstract class UpstreamDriver {
  private spareSource = (): readonly AccountSeed['credentials'][] =>
    this.seeds().map(({ credentials }) => credentials);

  /** Whether answers lose markup on their way, so that tool calls cannot be found in them. */
  get isLossy(): boolean {
    return false;
  }

  /**
   * Number of shares of an account, each for one of several gateways: 1 where a login must not be used from two
   * places. Constant, so that nothing has to be divided anew when gateways come and go.
   */
  get shares(): number {
    return 1;
  }

  /** Images that one prompt can carry beside its text; undefined where they go with the messages, as the upstream takes them. */
  get imageLimit(): number | undefined {
    return undefined;
  }

  /** Whether a session can be opened only if the upstream accepts the account; otherwise nothing but an answer shows it. */
  get opensProven(): boolean {
    return true;
  }

  /** The credentials that it makes use of, in the order in which they are asked for; none where it cannot say. */
  get credentialFields(): readonly CredentialField[] {
    return [];
  }

  /** Why no session can be opened with credentials, as far as they themselves show it; undefined if they do not. */
  credentialProblem(_credentials: AccountSeed['credentials']): CredentialProblem | undefined {
    return undefined;
  }

  /** Why no account at all can be reached now, e.g. a browser that cannot be started; undefined while none is known. */
  get outage(): UpstreamError | undefined {
    return undefined;
  }

  /** Why parts of what leads there cannot be used now, e.g. one of several browsers; each message names its part. */
  get partialOutages(): readonly UpstreamError[] {
    return [];
  }

  /** Whether a person can log an account in by `logInByHand`. */
  get takesVisitors(): boolean {
    return false;
  }

  /**
   * Takes `spareCredentials` from accounts in use, in place of those of the seeds. `AccountsModule` calls it, since the list of
   * models is asked for below it, where no accounts are known.
   */
  takeSpareCredentialsFrom(source: () => readonly AccountSeed['credentials'][]): void {
    this.spareSource = source;
  }

  /** Credentials for what no account is leased for, the likeliest to be accepted first. */
  protected spareCredentials(): readonly AccountSeed['credentials'][] {
    return this.spareSource();
  }

  /** The models that the upstream says it has; rejects if its list cannot be read. None by default. */
  async listModels(_signal: AbortSignal): Promise<readonly UpstreamModel[]> {
    return [];
  }

  /** Accounts that come with the configuration. */
  abstract seeds(): readonly AccountSeed[];

  /** Opens a slot, logging the account in where needed. Rejects with the classes of `upstream.errors.ts`. */
  abstract open(account: UpstreamAccount, signal: AbortSignal): Promise<UpstreamSession>;

  /**
   * Has a person log an account in, where the driver alone cannot. Resolves once the upstream shows that it is logged in and
   * the login is kept, as after a login by the driver. Rejects with the classes of `upstream.errors.ts`, or the signal's reason.
   */
  logInByHand(_account: UpstreamAccount, _visitor: PageVisitor, _signal: AbortSignal): Promise<void> {
    return Promise.reject(new RejectedError('unsupported', 'This upstream has no login page.'));
  }

  /** Drops everything held for an account that was removed or disabled. */
  abstract forget(accountId: string): Promise<void>;

  /** Ends everything; called once, after the sessions were closed. Never throws. */
  abstract close(): Promise<void>;
}
