import { Injectable } from '@nestjs/common';
import { AccountTest } from '../../accounts/dispatch/account-test.js';
import { createDispatchReport } from '../../accounts/dispatch/dispatch-report.js';
import { type Account } from '../../accounts/registry/account.js';
import { AccountRegistry } from '../../accounts/registry/account-registry.js';
import { NodeList } from '../../cluster/node-list.js';
import { AuditLog } from '../../common/audit/audit-log.js';
import { InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { Clock } from '../../common/time/clock.js';
import { type ArrivedRequest, RequestLog } from '../../logs/request-log.js';
import { type Model } from '../../models/model.js';
import { ModelCatalog } from '../../models/model-catalog.js';
import { endOfFailedTest, endOfTest, testedContent, type TestEnd } from './test-end.js';
import { whyUntestable } from './why-untestable.js';

/** Longest test in milliseconds: a login at a chat site may take most of it. */
const TEST_LIMIT_MS = 60_000;

/** JSON of a test. */
export interface AccountTestView {
  /** `ok`, or what went wrong, in the word of an attempt in the log, e.g. `invalid_credentials`. */
  readonly outcome: string;
  /** What went wrong, or is odd, in a sentence. */
  readonly message?: string | undefined;
  /** Id of the model that was asked for. */
  readonly model: string;
  /** Milliseconds until the account began to answer; missing if it did not. */
  readonly firstAnswerMs?: number | undefined;
  readonly totalMs: number;
  /** Id of the entry in the log. */
  readonly requestId: string;
}

/** Has accounts answer a question. Each test has an entry in the log, which counts as nobody's request, and in the audit list. */
@Injectable()
export class AccountTests {
  constructor(
    private readonly registry: AccountRegistry,
    private readonly test: AccountTest,
    private readonly models: ModelCatalog,
    private readonly nodes: NodeList,
    private readonly requests: RequestLog,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Tests an account. That it fails is no error.
   * @param arrived the operator's request; its key is the actor
   * @param left aborted when the operator leaves
   * @throws AccountNotFoundError; InvalidRequestError if the account cannot be asked now; the reason of the signal
   */
  async run(accountId: string, arrived: ArrivedRequest, left: AbortSignal): Promise<AccountTestView> {
    const account = this.registry.get(accountId);
    const model = await this.models.defaultModel();
    await this.check(account, model);
    const view = await this.ask(account, model, arrived, left);
    await this.audit.add({
      actor: arrived.key ?? null,
      action: 'account.test',
      subject: account.name,
      after: { outcome: view.outcome },
    });
    left.throwIfAborted();
    return view;
  }

  private async ask(
    account: Account,
    model: Model,
    arrived: ArrivedRequest,
    left: AbortSignal,
  ): Promise<AccountTestView> {
    const log = this.requests.open(arrived);
    log.add({ model: model.id, account: account.name });
    const report = createDispatchReport();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), TEST_LIMIT_MS);
    const { upstreamModel, thinking, maxOutputTokens: maxTokens } = model;
    const { id: requestId, elapsedMs } = log;
    const signal = AbortSignal.any([left, limit.signal]);
    const end: TestEnd = await this.test
      .ask(account, { model: upstreamModel, thinking, maxTokens }, { signal, requestId, report, elapsedMs })
      .then((answer) => endOfTest(answer, report.firstAnswerMs !== undefined, TEST_LIMIT_MS), endOfFailedTest)
      .finally(() => clearTimeout(timer));
    const { outcome, message, logged, answer, error } = left.aborted ? LEFT : end;
    log.finish(logged, {
      ...report,
      ...(logged !== 'cancelled' && { status: 200 }),
      content: testedContent(answer, log.keeps),
      error,
    });
    const { firstAnswerMs } = report;
    return { outcome, message, model: model.id, firstAnswerMs, totalMs: elapsedMs(), requestId };
  }

  /** @throws InvalidRequestError with the reason why the account cannot be asked now */
  private async check(account: Account, { upstreamModel }: Model): Promise<void> {
    // While the database is away, nobody knows who uses it.
    const holders = await this.nodes.holders().catch(() => undefined);
    const names = (holders?.get(account.id) ?? []).map(({ nodeId, logName = nodeId }) => logName);
    const why = whyUntestable(account, upstreamModel, names, this.clock.monotonic());
    if (why !== undefined) {
      throw new InvalidRequestError(why);
    }
  }
}

const LEFT: TestEnd = { outcome: 'cancelled', logged: 'cancelled' };
