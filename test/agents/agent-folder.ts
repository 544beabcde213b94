import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What came of one run of an agent. */
export interface ProgramRun {
  /** -1 for one that was ended at its limit. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A temporary folder with a home and a project for one coding agent of the command line. */
export class AgentFolder {
  private constructor(private readonly folder: string) {}

  static async create(name: string): Promise<AgentFolder> {
    const made = new AgentFolder(await mkdtemp(join(tmpdir(), `gateway-${name}-`)));
    await mkdir(made.home);
    await mkdir(made.project);
    return made;
  }

  get home(): string {
    return join(this.folder, 'home');
  }

  get project(): string {
    return join(this.folder, 'project');
  }

  /** Runs a program of Node in the project, without anything on its standard input. */
  run(
    program: readonly string[],
    { env, limitMs }: { readonly env: NodeJS.ProcessEnv; readonly limitMs: number },
  ): Promise<ProgramRun> {
    const options = { cwd: this.project, timeout: limitMs, env };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, program, options, (_error, stdout, stderr) =>
        resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
      );
      // Agents wait for more of their task there.
      child.stdin?.end();
    });
  }

  contentOf(path: string): Promise<string> {
    return readFile(join(this.project, path), 'utf8');
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
