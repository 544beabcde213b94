import { Worker } from 'node:worker_threads';
import { type WorkerCall, type WorkerReply } from './serve-calls.js';

/** A call failed in the thread, or with it. */
export class WorkerCallError extends Error {
  override name = 'WorkerCallError';

  constructor(
    message: string,
    /** SQLite's own code, where it was an error of the store. */
    readonly code?: number,
  ) {
    super(message);
  }
}

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: WorkerCallError) => void;
}

/**
 * A TypeScript source runs as it is in tests: Node strips its types by itself, but looks for imports by the names that
 * they have once compiled.
 */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const FIND_SOURCES = `data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (name, context, next) => next(name.startsWith('.') ? name.replace(/\\.js$/, '.ts') : name, context),
  });`,
)}`;

/**
 * Calls functions in a thread of its own. The thread is started by the first call, and anew by the next one after it
 * died. It keeps no process alive.
 */
export class WorkerClient {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  /**
   * @param name of the file beside this one, without its extension
   * @param workerData what the thread finds under that name
   */
  constructor(
    private readonly name: string,
    private readonly workerData: unknown,
  ) {}

  /** Rejects with a WorkerCallError. */
  call<Result>(name: string, argument?: unknown): Promise<Result> {
    const id = ++this.lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    try {
      this.worker ??= this.start();
      this.worker.postMessage({ id, name, argument } satisfies WorkerCall);
      this.waiting.set(id, { resolve, reject });
    } catch (error) {
      // The system has no thread left, for example.
      reject(new WorkerCallError((error as Error).message));
    }
    return promise;
  }

  /** As `call`; a thread that does not answer in time is ended. */
  async callWithin<Result>(limitMs: number, name: string, argument?: unknown): Promise<Result> {
    const timer = setTimeout(() => void this.end('It does not answer in time.'), limitMs);
    try {
      return await this.call<Result>(name, argument);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the thread; calls that wait are rejected. */
  async end(reason = 'It was ended.'): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    this.rejectAll(reason);
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(new URL(`./${this.name}.${EXTENSION}`, import.meta.url), {
      workerData: this.workerData,
      execArgv: EXTENSION === 'ts' ? [...process.execArgv, '--import', FIND_SOURCES] : process.execArgv,
    });
    worker.on('message', (reply: WorkerReply) => this.onReply(reply));
    worker.on('error', (error: Error) => this.onDeath(worker, error.message));
    worker.on('exit', () => this.onDeath(worker, 'The thread ended.'));
    worker.unref();
    return worker;
  }

  private onReply(reply: WorkerReply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ('error' in reply) {
      waiting?.reject(new WorkerCallError(reply.error.message, reply.error.code));
    } else {
      waiting?.resolve(reply.result as never);
    }
  }

  private onDeath(worker: Worker, reason: string): void {
    if (this.worker === worker) {
      this.worker = undefined;
      this.rejectAll(reason);
    }
  }

  private rejectAll(reason: string): void {
    const calls = [...this.waiting.values()];
    this.waiting.clear();
    calls.forEach(({ reject }) => reject(new WorkerCallError(reason)));
  }
}
