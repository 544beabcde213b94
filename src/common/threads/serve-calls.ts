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
  | { readonly id: number; readonly error: { readonly message: string; readonly code?: number | undefined } };

/** Answers the calls of a `WorkerClient`, one after the other; while one waits, the next begins. */
export function serveCalls(functions: WorkerFunctions): void {
  parentPort?.on('message', ({ id, name, argument }: WorkerCall) => {
    void answer(functions[name], id, argument).then((reply) => parentPort?.postMessage(reply));
  });
}

async function answer(
  work: WorkerFunctions[string] | undefined,
  id: number,
  argument: unknown,
): Promise<WorkerReply> {
  try {
    return { id, result: await work?.(argument as never) };
  } catch (error) {
    const { message, code, errcode } = error as NodeJS.ErrnoException & { readonly errcode?: number };
    // Of failures at several addresses only the code says something.
    return { id, error: { message: message || String(code), code: errcode } };
  }
}
