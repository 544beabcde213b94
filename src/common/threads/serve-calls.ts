import { parentPort } from 'node:worker_threads';

/** Functions offered by a worker thread, by name; they may be asynchronous. An exception is sent back as an error. */
export type WorkerFunctions = Readonly<Record<string, (argument: never) => unknown>>;

export interface WorkerCall {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

export type WorkerReply =
  | { readonly id: number; readonly result: unknown }
  | {
      readonly id: number;
      readonly error: { readonly message: string; readonly errcode?: number | undefined };
    };

/** A result with blocks of memory that are moved to the caller, not copied. */
export class Transferred<Result> {
  readonly result: Result;
  readonly blocks: readonly ArrayBuffer[];

  constructor(result: Result, blocks: readonly ArrayBuffer[]) {
    this.result = result;
    this.blocks = blocks;
  }
}

/** Answers the calls of a `WorkerClient`, one after the other; while one waits, the next begins. */
export function serveCalls(functions: WorkerFunctions): void {
  parentPort?.on('message', ({ id, name, argument }: WorkerCall) => {
    void answer(functions[name], id, argument).then(({ reply, blocks }) =>
      parentPort?.postMessage(reply, blocks),
    );
  });
}

async function answer(
  work: WorkerFunctions[string] | undefined,
  id: number,
  argument: unknown,
): Promise<{ readonly reply: WorkerReply; readonly blocks?: readonly ArrayBuffer[] }> {
  try {
    const result = await work?.(argument as never);
    return result instanceof Transferred
      ? { reply: { id, result: result.result as unknown }, blocks: result.blocks }
      : { reply: { id, result } };
  } catch (error) {
    const { message, code, errcode } = error as NodeJS.ErrnoException & { readonly errcode?: number };
    // Of failures at several addresses only the code says something.
    return { reply: { id, error: { message: message || String(code), errcode } } };
  }
}
