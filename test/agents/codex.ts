import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withThisNode } from '../thirdparty/npm-package.js';
import { AgentFolder, type ProgramRun } from './agent-folder.js';

const RUN_LIMIT_MS = 100_000;

const SNIPPETS = new URL('../../client/dashboard/assets/data/snippets.js', import.meta.url).href;

interface Gateway {
  readonly origin: string;
  readonly model: string;
  readonly contextWindow: number;
  readonly needsKey: boolean;
}

/** Without statistics and a search for updates. */
const QUIET = 'check_for_update_on_startup = false\nanalytics.enabled = false\n';

/** The set-up that the dashboard shows, whose other lines are comments; without retries that take minutes. */
async function configuration(baseUrl: string): Promise<string> {
  const { snippets } = (await import(SNIPPETS)) as {
    snippets(this: void, gateway: Gateway): readonly { readonly name: string; readonly text: string }[];
  };
  const { origin } = new URL(baseUrl);
  const gateway = { origin, model: 'svc-max', contextWindow: 1_000_000, needsKey: false };
  const shown = snippets(gateway).find(({ name }) => name === 'Codex');
  return `${QUIET}${shown?.text}\nrequest_max_retries = 1\nstream_max_retries = 1\n`;
}

function asOwnProvider(baseUrl: string, compactsAt: number): string {
  return `${QUIET}openai_base_url = "${baseUrl}"\nmodel_auto_compact_token_limit = ${compactsAt}\n`;
}

/** Codex, a coding agent for the command line, with a home folder and a project of its own. */
export class Codex {
  private constructor(
    private readonly packageFolder: string,
    readonly folder: AgentFolder,
  ) {}

  /**
   * @param baseUrl ends in `/v1`
   * @param compactsAt tokens from which the gateway, in place of Codex's own provider, is to compact the history; by default
   * it is a provider of its own, with which Codex does that itself
   */
  static async create(packageFolder: string, baseUrl: string, compactsAt?: number): Promise<Codex> {
    const folder = await AgentFolder.create('codex');
    await writeFile(
      join(folder.home, 'config.toml'),
      compactsAt === undefined ? await configuration(baseUrl) : asOwnProvider(baseUrl, compactsAt),
    );
    return new Codex(packageFolder, folder);
  }

  /**
   * Runs a task without approvals. Its last message goes to stdout, what happens on the way to stderr.
   * @param model by whose name Codex decides how it sends its tools
   */
  run(task: string, model = 'svc-max'): Promise<ProgramRun> {
    const { home } = this.folder;
    const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    const args = ['--model', model, 'exec', ...flags, task];
    return this.folder.run([join(this.packageFolder, 'bin', 'codex.js'), ...args], {
      limitMs: RUN_LIMIT_MS,
      env: {
        ...withThisNode(process.env),
        NODE_OPTIONS: '',
        HOME: home,
        CODEX_HOME: home,
        GATEWAY_API_KEY: 'none',
        CODEX_API_KEY: 'none',
      },
    });
  }
}
