import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withThisNode } from '../thirdparty/npm-package.js';

const RUN_LIMIT_MS = 100_000;

/** A provider of its own; without statistics, without a search for updates, without retries that take minutes. */
function configuration(baseUrl: string): string {
  return `model = "svc-max"
model_provider = "gateway"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.gateway]
name = "Gateway"
base_url = "${baseUrl}"
env_key = "GATEWAY_API_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
`;
}

export interface CodexRun {
  readonly exitCode: number;
  /** The last message of the agent. */
  readonly stdout: string;
  /** What happened on the way. */
  readonly stderr: string;
}

/** Codex, a coding agent for the command line, with a home folder and a project of its own. */
export class Codex {
  private constructor(
    private readonly packageFolder: string,
    private readonly folder: string,
  ) {}

  /** @param baseUrl ends in `/v1` */
  static async create(packageFolder: string, baseUrl: string): Promise<Codex> {
    const agent = new Codex(packageFolder, await mkdtemp(join(tmpdir(), 'gateway-codex-')));
    await mkdir(agent.home);
    await writeFile(join(agent.home, 'config.toml'), configuration(baseUrl));
    await mkdir(agent.project);
    return agent;
  }

  get project(): string {
    return join(this.folder, 'project');
  }

  private get home(): string {
    return join(this.folder, 'home');
  }

  /** Runs a task without approvals; ends it after a limit, with the exit code 1. */
  async run(task: string): Promise<CodexRun> {
    const args = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', task];
    const options = {
      cwd: this.project,
      timeout: RUN_LIMIT_MS,
      env: {
        ...withThisNode(process.env),
        NODE_OPTIONS: '',
        HOME: this.home,
        CODEX_HOME: this.home,
        GATEWAY_API_KEY: 'none',
      },
    };
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [join(this.packageFolder, 'bin', 'codex.js'), ...args],
        options,
        (error, stdout, stderr) => resolve({ exitCode: error ? (child.exitCode ?? 1) : 0, stdout, stderr }),
      );
      // It would wait for more of its task there.
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
