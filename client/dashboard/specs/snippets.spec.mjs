import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { snippets } from '../assets/data/snippets.js';

const ORIGIN = 'http://127.0.0.1:1';
const texts = (needsKey) =>
  Object.fromEntries(
    snippets({ origin: ORIGIN, model: 'm', needsKey }).map(({ name, text }) => [name, text]),
  );

it('makes a curl line that a shell takes as it stands', () => {
  const run = (text) =>
    execFileSync('sh', {
      input: `curl() { printf '%s\\n' "$@"; }\n${text}`,
      env: { API_KEY: 'k' },
    })
      .toString()
      .trim()
      .split('\n');
  const body = '{"model":"m","messages":[{"role":"user","content":"Hello!"}],"stream":false}';
  const type = ['-H', 'Content-Type: application/json', '-d', body];
  expect(run(texts(false).curl)).toEqual([`${ORIGIN}/v1/chat/completions`, ...type]);
  expect(run(texts(true).curl)).toEqual([
    `${ORIGIN}/v1/chat/completions`,
    '-H',
    'Authorization: Bearer k',
    ...type,
  ]);
});

it('makes nothing but a name of what an upstream calls its model', () => {
  const model = `it's "C:\\new.gguf" $(id) \`id\` \\n; exit`;
  const all = Object.fromEntries(
    snippets({ origin: ORIGIN, model, needsKey: false }).map(({ name, text }) => [name, text]),
  );
  const run = (command, text) => execFileSync('sh', { input: `${command}\n${text}` }).toString();
  const body = run('curl() { while [ $# -gt 1 ]; do shift; done; printf %s "$1"; }', all.curl);
  expect(JSON.parse(body).model).toBe(model);
  expect(run('qwen() { printf %s "$OPENAI_MODEL"; }', all['Qwen Code'])).toBe(model);
  expect(run('gemini() { printf %s "$2"; }', all['Gemini CLI'])).toBe(model);
  const [, python] = /model=(.*),\n/.exec(all.Python);
  const [, javaScript] = /model: (.*),\n/.exec(all.JavaScript);
  const [, toml] = /\nmodel = (.*)\n/.exec(all.Codex);
  expect([python, javaScript, toml].map((text) => JSON.parse(text))).toEqual([model, model, model]);
});

it('gives each client the address that it wants', () => {
  const all = texts(true);
  expect(Object.keys(all)).toEqual([
    'curl',
    'Python',
    'JavaScript',
    'Qwen Code',
    'Claude Code',
    'Gemini CLI',
    'Codex',
  ]);
  expect(all['Claude Code']).toBe(`ANTHROPIC_BASE_URL=${ORIGIN} ANTHROPIC_API_KEY="$API_KEY" claude`);
  expect(all['Gemini CLI']).toBe(
    `GOOGLE_GEMINI_BASE_URL=${ORIGIN} GEMINI_API_KEY="$API_KEY" gemini --model 'm'`,
  );
  for (const name of ['Python', 'JavaScript', 'Qwen Code', 'Codex']) {
    expect(all[name]).toContain(`${ORIGIN}/v1`);
    expect(all[name]).toContain('API_KEY');
  }
});

it('tells Codex the context window of its model, if it is known', () => {
  const codex = (gateway) =>
    snippets({ origin: ORIGIN, model: 'm', needsKey: false, ...gateway }).find(({ name }) => name === 'Codex')
      .text;
  expect(codex({ contextWindow: 32_768 })).toContain('\nmodel_context_window = 32768 ');
  expect(codex({})).not.toContain('model_context_window');
});

it('sets Codex up as the README does', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const [, block] = /```toml\n(model = [^]*?)```/.exec(readme);
  const gateway = {
    origin: 'http://127.0.0.1:26405',
    model: 'svc-max',
    contextWindow: 1_000_000,
    needsKey: false,
  };
  expect(snippets(gateway).at(-1)).toEqual({ name: 'Codex', text: expect.stringContaining(block) });
});
