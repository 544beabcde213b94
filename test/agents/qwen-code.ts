import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withThisNode } from '../thirdparty/npm-package.js';

const RUN_LIMIT_MS = 60_000;

/** No statistics and no search for updates. */
const SETTINGS = {
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
};

/** Qwen Code, a coding agent for the command line, with a home folder and a project of its own. */
export class QwenCode {
  private constructor(
    private readonly packageFolder: string,
    private readonly baseUrl: string,
    private readonly folder: string,
  ) {}

  /** @param baseUrl ends in `/v1` */
  static async create(packageFolder: string, baseUrl: string): Promise<QwenCode> {
    const agent = new QwenCode(packageFolder, baseUrl, await mkdtemp(join(tmpdir(), 'gateway-qwen-')));
    await mkdir(join(agent.home, '.qwen'), { recursive: true });
    await writeFile(join(agent.home, '.qwen', 'settings.json'), JSON.stringify(SETTINGS));
    await mkdir(agent.project);
    return agent;
  }

  get project(): string {
    return join(this.folder, 'project');
  }

  private get home(): string {
    return join(this.folder, 'home');
  }

  /** Runs a task without approvals. Returns the output shown to the user; rejects after a minute. */
  async run(task: string): Promise<string> {
    const args = ['--auth-type', 'openai', '--approval-mode', 'yolo', '-p', task];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(this.packageFolder, 'cli-entry.js'), ...args],
      {
        cwd: this.project,
        timeout: RUN_LIMIT_MS,
        env: {
          ...withThisNode(process.env),
          NODE_OPTIONS: '',
          HOME: this.home,
          USERPROFILE: this.home,
          QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
          OPENAI_BASE_URL: this.baseUrl,
          OPENAI_API_KEY: 'none',
          OPENAI_MODEL: 'svc-max',
        },
      },
    );
    return stdout;
  }

  contentOf(path: string): Promise<string> {
    return readFile(join(this.project, path), 'utf8');
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
