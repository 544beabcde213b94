import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';
import { installPackage } from '../thirdparty/npm-package.js';
import { QwenCode } from './qwen-code.js';

const VERSION = '0.24.4';
const INSTALL_LIMIT_MS = 12 * 60_000;
const MARKUP = /<\/?(?:tool_call|tool_response|function|parameter)\b/;

/** Marker that makes the sandbox call a tool. */
function marker(name: string, input: object): string {
  return `[[call:${name}:${JSON.stringify(input)}]]`;
}

describe(`Qwen Code ${VERSION}`, () => {
  let packageFolder: string;
  let gateway: TestGateway;
  let agent: QwenCode;

  beforeAll(async () => {
    packageFolder = await installPackage('@qwen-code/qwen-code', VERSION);
    gateway = await startGateway({ LOG_CONTENT: 'full' });
  }, INSTALL_LIMIT_MS);

  afterAll(() => gateway?.close());

  beforeEach(async () => {
    agent = await QwenCode.create(packageFolder, gateway.baseUrl);
  });

  afterEach(() => agent.folder.remove());

  /** Tool calls in the gateway's answers so far, oldest first. */
  function calls(): { readonly name: string; readonly json: string | undefined }[] {
    return gateway.entries.all.flatMap(({ toolCalls = [] }) =>
      toolCalls.map(({ name, arguments: json }) => ({ name, json })),
    );
  }

  it('creates a file and reads it back, once each', async () => {
    const before = calls().length;
    const content = 'Hi <b>there</b> & "you"\n\tC:\\new\n';
    const file_path = join(agent.folder.project, 'notes.html');
    const shown = await agent.run(
      `${marker('write_file', { file_path, content })} ${marker('read_file', { file_path })}`,
    );
    expect(await agent.folder.contentOf('notes.html')).toBe(content);
    expect(await readdir(agent.folder.project)).toEqual(['notes.html']);
    expect(
      calls()
        .slice(before)
        .map(({ name }) => name),
    ).toEqual(['write_file', 'read_file']);
    expect(shown).toContain('it has called write_file, read_file.');
    expect(shown).not.toMatch(MARKUP);
  });

  it('runs a command', async () => {
    const before = calls().length;
    const command = 'printf made > by-shell.txt';
    const shown = await agent.run(marker('run_shell_command', { command, is_background: false }));
    expect(await agent.folder.contentOf('by-shell.txt')).toBe('made');
    expect(calls().slice(before)).toHaveLength(1);
    expect(shown).not.toMatch(MARKUP);
  });

  it('ends after the first tool for a task without markers', async () => {
    const before = calls().length;
    const shown = await agent.run('Create hello.txt.');
    expect(calls().slice(before)).toHaveLength(1);
    expect(shown).toContain('the built-in sandbox');
    expect(shown).not.toMatch(MARKUP);
  });
});
