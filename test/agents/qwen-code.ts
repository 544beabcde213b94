import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withThisNode } from '../thirdparty/npm-package.js';
import { AgentFolder } from './agent-folder.js';

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
    readonly folder: AgentFolder,
  ) {}

  /** @param baseUrl ends in `/v1` */
  static async create(packageFolder: string, baseUrl: string): Promise<QwenCode> {
    const folder = await AgentFolder.create('qwen');
    await mkdir(join(folder.home, '.qwen'));
    await writeFile(join(folder.home, '.qwen', 'settings.json'), JSON.stringify(SETTINGS));
    return new QwenCode(packageFolder, baseUrl, folder);
  }

  /** Runs a task without approvals. Returns the output shown to the user; rejects if it failed, or after a minute. */
  async run(task: string): Promise<string> {
    const { home } = this.folder;
    const args = ['--auth-type', 'openai', '--approval-mode', 'yolo', '-p', task];
    const { exitCode, stdout, stderr } = await this.folder.run(
      [join(this.packageFolder, 'cli-entry.js'), ...args],
      {
        limitMs: RUN_LIMIT_MS,
        env: {
          ...withThisNode(process.env),
          NODE_OPTIONS: '',
          HOME: home,
          USERPROFILE: home,
          QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
          OPENAI_BASE_URL: this.baseUrl,
          OPENAI_API_KEY: 'none',
          OPENAI_MODEL: 'svc-max',
        },
      },
    );
    if (exitCode !== 0) {
      throw new Error(`Qwen Code ended with ${exitCode}: ${stderr}`);
    }
    return stdout;
  }
}
