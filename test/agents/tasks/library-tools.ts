import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ScriptedCall } from '../../support/upstream/scripted-model.js';
import { type AgentFolder } from '../agent-folder.js';

export interface WriteInput {
  readonly path: string;
  readonly content: string;
}

export interface CommandInput {
  readonly command: string;
}

const COMMAND_LIMIT_MS = 20_000;

const text = { type: 'string' as const };

/** Tools of a program that is made with a library, as it defines them. */
export const WRITE_TOOL = {
  name: 'write_text',
  description: 'Writes a text to a file.',
  parameters: {
    type: 'object' as const,
    properties: { path: text, content: text },
    required: ['path', 'content'],
  },
};

export const COMMAND_TOOL = {
  name: 'run_command',
  description: 'Runs a command in a shell.',
  parameters: { type: 'object' as const, properties: { command: text }, required: ['command'] },
};

/** The calls of these tools, for the model's script. */
export const LIBRARY_CALLS = {
  write: (path: string, content: string): ScriptedCall => ({
    name: WRITE_TOOL.name,
    input: { path, content },
  }),
  shell: (command: string): ScriptedCall => ({ name: COMMAND_TOOL.name, input: { command } }),
};

/** Implementations of the tools, in the project of a folder. */
export class LibraryTools {
  constructor(private readonly folder: AgentFolder) {}

  readonly write = async ({ path, content }: WriteInput): Promise<string> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return 'Written.';
  };

  readonly run = async ({ command }: CommandInput): Promise<string> => {
    const options = { env: process.env, limitMs: COMMAND_LIMIT_MS };
    const { stdout, stderr } = await this.folder.execute('bash', ['-c', command], options);
    return stdout + stderr || 'ok';
  };
}
