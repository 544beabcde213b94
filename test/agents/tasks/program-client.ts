import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type ScriptedCall } from '../../support/upstream/scripted-model.js';
import { installPackage, withThisNode } from '../../thirdparty/npm-package.js';
import { type AgentFolder } from '../agent-folder.js';
import { type TaskClient } from './task-client.js';

/** Longer than the longest limit of the cases, which some agents wait out. */
const RUN_LIMIT_MS = 220_000;

/** Nothing listens there: whatever is not the gateway cannot be reached. */
const NOWHERE = 'http://127.0.0.1:9';

/** Options that lead an agent of the command line to the gateway and keep it quiet. */
export interface ProgramOptions {
  readonly package: string;
  readonly version: string;
  /** Files in its home, by their paths there. */
  readonly files?: (baseUrl: string) => Readonly<Record<string, string>>;
  readonly env?: (home: string, baseUrl: string) => NodeJS.ProcessEnv;
  /** The program, relative to its package's folder, and its arguments. A program in JavaScript is run by Node. */
  readonly command: (task: string, home: string) => readonly [program: string, ...args: string[]];
  readonly write: (path: string, content: string) => ScriptedCall;
  readonly shell: (command: string) => ScriptedCall;
  readonly look?: (path: string) => ScriptedCall;
  readonly summaryMarker?: string;
  readonly failureWords?: RegExp;
}

/** A coding agent of the command line, installed from npm at its first use. */
export class ProgramClient implements TaskClient {
  readonly name: string;
  readonly summaryMarker?: string;
  readonly failureWords?: RegExp;
  readonly write: (path: string, content: string) => ScriptedCall;
  readonly shell: (command: string) => ScriptedCall;
  readonly look?: (path: string) => ScriptedCall;
  private packageFolder = '';

  constructor(
    name: string,
    private readonly options: ProgramOptions,
  ) {
    this.name = `${name} ${options.version}`;
    this.summaryMarker = options.summaryMarker;
    this.failureWords = options.failureWords;
    this.write = options.write;
    this.shell = options.shell;
    this.look = options.look;
  }

  async install(): Promise<void> {
    this.packageFolder = await installPackage(this.options.package, this.options.version);
  }

  async perform(task: string, folder: AgentFolder, baseUrl: string): Promise<string> {
    const { files, command } = this.options;
    await folder.fillHome(files?.(baseUrl) ?? {});
    const [relative, ...args] = command(task, folder.home);
    const program = join(this.packageFolder, relative);
    const options = { env: this.environment(folder.home, baseUrl), limitMs: RUN_LIMIT_MS };
    const { stdout, stderr } = await (/\.[cm]?js$/.test(relative)
      ? folder.run([program, ...args], options)
      : folder.execute(program, args, options));
    return stripVTControlCharacters(stdout + stderr);
  }

  private environment(home: string, baseUrl: string): NodeJS.ProcessEnv {
    return {
      ...withThisNode({ PATH: process.env.PATH }),
      HOME: home,
      USERPROFILE: home,
      HTTP_PROXY: NOWHERE,
      HTTPS_PROXY: NOWHERE,
      NO_PROXY: '127.0.0.1,localhost',
      NO_COLOR: '1',
      ...this.options.env?.(home, baseUrl),
    };
  }
}
