import { type EventEmitter } from 'node:events';
import { PinoLogger } from 'nestjs-pino';
import { pino } from 'pino';

const FAULTS = ['unhandledRejection', 'uncaughtExceptionMonitor'] as const;

/** Collects unhandled rejections, uncaught exceptions and listener leaks of this process. */
export class ProcessFaults {
  readonly seen: string[] = [];
  private readonly target: EventEmitter;

  constructor() {
    const { realProcess } = globalThis as { realProcess?: EventEmitter };
    if (!realProcess) {
      throw new Error('Begin the file with @jest-environment ./test/support/gateway/process-environment.mjs');
    }
    this.target = realProcess;
    FAULTS.forEach((name) => this.target.on(name, this.note));
    this.target.on('warning', this.noteWarning);
  }

  stop(): void {
    FAULTS.forEach((name) => this.target.off(name, this.note));
    this.target.off('warning', this.noteWarning);
  }

  private readonly note = (error: unknown): void => {
    this.seen.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };

  private readonly noteWarning = (warning: Error): void => {
    if (warning.name === 'MaxListenersExceededWarning') {
      this.note(warning);
    }
  };
}

interface LineStream {
  write(line: string): void;
}

/** Captures the process log of the gateway that was started last, at level info, instead of printing it. */
export class ProcessLog {
  text = '';
  private readonly level = PinoLogger.root.level;
  private readonly stream: LineStream;
  private readonly sink = PinoLogger.root as unknown as Record<symbol, LineStream>;

  constructor() {
    this.stream = this.sink[pino.symbols.streamSym] as LineStream;
    this.sink[pino.symbols.streamSym] = { write: (line) => (this.text += line) };
    PinoLogger.root.level = 'info';
  }

  stop(): void {
    this.sink[pino.symbols.streamSym] = this.stream;
    PinoLogger.root.level = this.level;
  }
}
