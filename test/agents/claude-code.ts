import { join } from 'node:path';
import { withThisNode } from '../thirdparty/npm-package.js';
import { AgentFolder } from './agent-folder.js';

const RUN_LIMIT_MS = 100_000;

/** Result of one run, as a user saw it. */
export interface AgentRun {
  readonly exitCode: number;
  readonly shown: string;
}

/** Claude Code, a coding agent for the command line, with a home folder and a project of its own. */
export class ClaudeCode {
  private constructor(
    private readonly packageFolder: string,
    private readonly origin: string,
    readonly folder: AgentFolder,
  ) {}

  /** @param origin of the gateway, without `/v1` */
  static async create(packageFolder: string, origin: string): Promise<ClaudeCode> {
    return new ClaudeCode(packageFolder, origin, await AgentFolder.create('claude'));
  }

  /** Runs a task without approvals. Ends it after 100 seconds. */
  async run(task: string, env: NodeJS.ProcessEnv = {}): Promise<AgentRun> {
    const program = join(this.packageFolder, 'cli-wrapper.cjs');
    const { exitCode, stdout, stderr } = await this.folder.run(
      [program, '-p', task, '--dangerously-skip-permissions'],
      { limitMs: RUN_LIMIT_MS, env: { ...this.environment(), ...env } },
    );
    return { exitCode, shown: stdout + stderr };
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      ...withThisNode({ PATH: process.env.PATH }),
      HOME: this.folder.home,
      USERPROFILE: this.folder.home,
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
