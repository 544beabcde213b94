import { Worker } from 'node:worker_threads';
import { settledWithin } from '../time/settled-within.js';
import { type WorkerCall, type WorkerReply } from './serve-calls.js';

const LATE = 'It does not answer in time.';

/** A call failed, or its thread died. */
export class WorkerCallError extends Error {
  override name = 'WorkerCallError';

  constructor(
    message: string,
    /** SQLite's result code; undefined for other errors. */
    readonly errcode?: number,
  ) {
    super(message);
  }
}

interface PendingCall {
  readonly resolve: (result: never) => void;
  readonly reject: (error: WorkerCallError) => void;
}

/**
 * Tests run the TypeScript sources: Node strips the types itself, but resolves imports by their compiled names, so a hook
 * maps `.js` to `.ts` in them.
 */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const FIND_SOURCES = `data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) => {
      const isSource = name.startsWith('.') && !context.parentURL?.includes('/node_modules/');
      return next(isSource ? name.replace(/\\.js$/, '.ts') : name, context);
    },
  });`,
)}`;

/**
 * Flags of the thread. Those of the process are not passed on: Node refuses to start a thread with any option of V8 among
 * them, e.g. `--max-old-space-size`. The embedded store still announces itself as experimental.
 */
const FLAGS = [
  '--disable-warning=ExperimentalWarning',
  ...(EXTENSION === 'ts' ? ['--import', FIND_SOURCES] : []),
];

/**
 * Calls functions in a worker thread. The thread starts at the first call and restarts at the next call after its death.
 * It does not keep the process alive.
 */
export class WorkerClient {
  /** Threads that were asked to terminate. */
  private static readonly ending = new Set<Worker>();
  private worker: Worker | undefined;
  private readonly pending = new Map<number, PendingCall>();
  private lastId = 0;
  private idleTimer: NodeJS.Timeout | undefined;
  /** End of the latest thread that was idle. */
  private idleEnd: Promise<void> | undefined;

  /** Whether a thread that was asked to terminate still runs, e.g. in a call to a hanging disk. */
  static get isAnyEnding(): boolean {
    return WorkerClient.ending.size > 0;
  }

  /**
   * @param file of the thread, without extension, e.g. `new URL('./reader.worker', import.meta.url)`
   * @param workerData `workerData` of the thread
   * @param idleMs ends the thread when it has had no call for so long: it takes 12 MiB. Only for threads that keep
   * nothing between calls; by default it lives on.
   */
  constructor(
    private readonly file: URL,
    private readonly workerData: unknown,
    private readonly idleMs?: number,
  ) {}

  /**
   * @param blocks of memory in the argument that are moved to the thread, not copied
   * @throws WorkerCallError
   */
  call<Result>(name: string, argument?: unknown, blocks: readonly ArrayBuffer[] = []): Promise<Result> {
    const id = ++this.lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    clearTimeout(this.idleTimer);
    try {
      this.worker ??= this.start();
      this.worker.postMessage({ id, name, argument } satisfies WorkerCall, blocks);
      this.pending.set(id, { resolve, reject });
    } catch (error) {
      // For example, the system's limit of threads is reached, or the argument cannot be cloned.
      reject(new WorkerCallError((error as Error).message));
    }
    return promise;
  }

  /** Like `call`; terminates a thread that does not answer in time. */
  async callWithin<Result>(
    limitMs: number,
    name: string,
    argument?: unknown,
    blocks?: readonly ArrayBuffer[],
  ): Promise<Result> {
    const timer = setTimeout(() => void this.end(LATE), limitMs);
    try {
      return await this.call<Result>(name, argument, blocks);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * The same for a thread that does several things at once, and ends each in a time of its own: it goes on, and only its
   * answer is not waited for.
   */
  async callOrLeave<Result>(limitMs: number, name: string, argument?: unknown): Promise<Result> {
    const answered = this.call<Result>(name, argument).then((result) => ({ result }));
    const answer = await settledWithin(limitMs, answered);
    if (answer === undefined) {
      throw new WorkerCallError(LATE);
    }
    return answer.result;
  }

  /** Terminates the thread and rejects its pending calls. Waits for the end of one that was idle, too. */
  async end(reason = 'It was ended.'): Promise<void> {
    clearTimeout(this.idleTimer);
    const { worker, idleEnd } = this;
    this.worker = undefined;
    this.rejectAll(reason);
    if (worker) {
      WorkerClient.ending.add(worker);
      await worker.terminate();
      WorkerClient.ending.delete(worker);
    }
    await idleEnd;
  }

  private start(): Worker {
    const worker = new Worker(new URL(`${this.file.href}.${EXTENSION}`), {
      workerData: this.workerData,
      execArgv: FLAGS,
    });
    worker.on('message', (reply: WorkerReply) => this.onReply(reply));
    worker.on('error', (error: Error) => this.onDeath(worker, error.message));
    worker.on('exit', () => this.onDeath(worker, 'The thread ended.'));
    worker.unref();
    return worker;
  }

  private onReply(reply: WorkerReply): void {
    const call = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    if ('error' in reply) {
      call?.reject(new WorkerCallError(reply.error.message, reply.error.errcode));
    } else {
      call?.resolve(reply.result as never);
    }
    if (this.idleMs !== undefined && this.pending.size === 0) {
      this.idleTimer = setTimeout(() => {
        this.idleEnd = this.end();
      }, this.idleMs).unref();
    }
  }

  private onDeath(worker: Worker, reason: string): void {
    if (this.worker === worker) {
      this.worker = undefined;
      this.rejectAll(reason);
    }
  }

  private rejectAll(reason: string): void {
    const calls = [...this.pending.values()];
    this.pending.clear();
    calls.forEach(({ reject }) => reject(new WorkerCallError(reason)));
  }
}
