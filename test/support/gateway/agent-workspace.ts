import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface WriteFile {
  readonly path: string;
  readonly content: string;
}

export interface ReadFile {
  readonly path: string;
}

/** Tool definitions as an agent sends them. */
export const WRITE_FILE = {
  name: 'write_file',
  description: 'Writes text to a file and makes the folders that it needs.',
  parameters: {
    type: 'object' as const,
    properties: {
      path: { type: 'string' as const, description: 'Relative path.' },
      content: { type: 'string' as const, description: 'All of the text.' },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
};

export const READ_FILE = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: {
    type: 'object' as const,
    properties: { path: { type: 'string' as const, description: 'Relative path.' } },
    required: ['path'],
    additionalProperties: false,
  },
};

/** A temporary folder with working tools; keeps their calls. */
export class AgentWorkspace {
  readonly calls: (readonly [tool: string, input: object])[] = [];

  private constructor(readonly folder: string) {}

  static async create(): Promise<AgentWorkspace> {
    return new AgentWorkspace(await mkdtemp(join(tmpdir(), 'gateway-agent-')));
  }

  readonly writeFile = async (input: WriteFile): Promise<string> => {
    this.calls.push(['write_file', input]);
    const file = join(this.folder, input.path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, input.content);
    return `Wrote ${input.content.length} characters to ${input.path}.`;
  };

  readonly readFile = async (input: ReadFile): Promise<string> => {
    this.calls.push(['read_file', input]);
    return this.contentOf(input.path);
  };

  contentOf(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8');
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
