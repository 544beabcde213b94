import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withThisNode } from '../thirdparty/npm-package.js';

const RUN_LIMIT_MS = 100_000;

/** What a user saw of one run. */
export interface AgentRun {
  readonly exitCode: number;
  readonly shown: string;
}

/** Claude Code, a coding agent for the command line, with a home folder and a project of its own. */
export class ClaudeCode {
  private constructor(
    private readonly packageFolder: string,
    private readonly origin: string,
    private readonly folder: string,
  ) {}

  /** @param origin of the gateway, without `/v1` */
  static async create(packageFolder: string, origin: string): Promise<ClaudeCode> {
    const agent = new ClaudeCode(packageFolder, origin, await mkdtemp(join(tmpdir(), 'gateway-claude-')));
    await mkdir(agent.home);
    await mkdir(agent.project);
    return agent;
  }

  get project(): string {
    return join(this.folder, 'project');
  }

  private get home(): string {
    return join(this.folder, 'home');
  }

  /** Runs a task without approvals. Ends it after 100 seconds, with the exit code -1. */
  run(task: string, env: NodeJS.ProcessEnv = {}): Promise<AgentRun> {
    const program = join(this.packageFolder, 'cli-wrapper.cjs');
    const args = [program, '-p', task, '--dangerously-skip-permissions'];
    const options = { cwd: this.project, timeout: RUN_LIMIT_MS, env: { ...this.environment(), ...env } };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, args, options, (_error, stdout, stderr) => {
        resolve({ exitCode: child.exitCode ?? -1, shown: stdout + stderr });
      });
      // It waits a while for a task from there.
      child.stdin?.end();
    });
  }

  contentOf(path: string): Promise<string> {
    return readFile(join(this.project, path), 'utf8');
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      ...withThisNode({ PATH: process.env.PATH }),
      HOME: this.home,
      USERPROFILE: this.home,
      ANTHROPIC_BASE_URL: this.origin,
      ANTHROPIC_API_KEY: 'key-1',
      // No statistics, no search for updates, nothing but the model.
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      // It refuses to work without approvals as root, except where nothing can be harmed.
      IS_SANDBOX: '1',
    };
  }
}
