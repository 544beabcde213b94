import { type ChildProcess, spawn } from 'node:child_process';
import { type Readable, type Writable } from 'node:stream';
import { PipeTransport } from './pipe-transport.js';
import { type UserIds } from './unprivileged-user.js';

const KEPT_STDERR_BYTES = 4096;

/** A browser's processes, which form a process group of their own and are killed as one. */
export class BrowserProcess {
  readonly transport: PipeTransport;
  /** Resolves when the main process has ended, or could not be started. */
  readonly exited: Promise<void>;
  private stderr = '';

  private constructor(private readonly child: ChildProcess) {
    this.exited = new Promise((resolve) => {
      child.once('exit', () => {
        // One that was started by a script would live on, without the proxy that ends with it.
        this.kill();
        resolve();
      });
      child.once('error', (error) => {
        this.stderr += error.message;
        resolve();
      });
    });
    child.stderr?.on('data', (bytes: Buffer) => {
      this.stderr = (this.stderr + bytes.toString('utf8')).slice(-KEPT_STDERR_BYTES);
    });
    this.transport = new PipeTransport(child.stdio[3] as Writable, child.stdio[4] as Readable);
  }

  /**
   * Starts a browser that is controlled over two pipes.
   * @param profile folder of its profile and its home; nothing of this process's environment reaches it
   * @param display environment of a display, for a browser with a window
   */
  static start(
    executablePath: string,
    args: readonly string[],
    profile: string,
    user: UserIds | undefined,
    display: Readonly<Record<string, string>> = {},
  ): BrowserProcess {
    return new BrowserProcess(
      spawn(executablePath, [...args, '--remote-debugging-pipe'], {
        ...user,
        cwd: profile,
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
        ...(process.platform !== 'win32' && { env: { ...environment(profile), ...display } }),
      }),
    );
  }

  /** The end of the browser's error output, up to 4 KiB, for messages. */
  get lastOutput(): string {
    return this.stderr.trim();
  }

  /** Kills the whole group at once. */
  kill(): void {
    const { pid } = this.child;
    if (pid === undefined) {
      return;
    }
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}

function environment(home: string): Record<string, string> {
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: home,
    // The process runs in its home. The path of Chrome's socket in there may have 107 bytes, and a whole one is often longer.
    TMPDIR: '.',
    LANG: 'C.UTF-8',
  };
}
