import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Result of one run of an agent. */
export interface ProgramRun {
  /** -1 for one that was ended at its limit. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  /** After which the program is ended. */
  readonly limitMs: number;
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

  /** Writes files into the home, with the folders that they need; keys are their paths there. */
  async fillHome(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.home, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }

  /** Runs a program of Node in the project, without anything on its standard input. */
  run(program: readonly string[], options: RunOptions): Promise<ProgramRun> {
    return this.execute(process.execPath, program, options);
  }

  /** The same for any program. */
  execute(program: string, args: readonly string[], { env, limitMs }: RunOptions): Promise<ProgramRun> {
    const options = { cwd: this.project, timeout: limitMs, env };
    return new Promise((resolve) => {
      const child = execFile(program, args, options, (_error, stdout, stderr) =>
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
