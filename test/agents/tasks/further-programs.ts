import { ProgramClient } from './program-client.js';

const MODEL = 'svc-max';

export const KIMI_CODE = new ProgramClient('Kimi Code', {
  package: '@moonshot-ai/kimi-code',
  version: '2.1.0',
  // It asks for as many tokens as its context window has.
  env: (_home, baseUrl) => ({
    KIMI_CODE_NO_AUTO_UPDATE: '1',
    KIMI_MODEL_NAME: MODEL,
    KIMI_MODEL_PROVIDER_TYPE: 'openai',
    KIMI_MODEL_BASE_URL: baseUrl,
    KIMI_MODEL_API_KEY: 'none',
    KIMI_MODEL_MAX_CONTEXT_SIZE: '200000',
    KIMI_MODEL_CAPABILITIES: 'image_in,tool_use,thinking',
  }),
  command: (task) => ['dist/main.mjs', '-p', task],
  write: (path, content) => ({ name: 'Write', input: { path, content } }),
  shell: (command) => ({ name: 'Bash', input: { command } }),
  look: (path) => ({ name: 'ReadMediaFile', input: { path } }),
  summaryMarker: 'You are about to run out of context.',
});

export const GEMINI_CLI = new ProgramClient('Gemini CLI', {
  package: '@google/gemini-cli',
  version: '0.61.0',
  files: () => ({
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    }),
  }),
  env: (home, baseUrl) => ({
    // It leaves reports of errors there.
    TMPDIR: home,
    GOOGLE_GEMINI_BASE_URL: baseUrl.replace(/\/v1$/, ''),
    GEMINI_API_KEY: 'none',
  }),
  command: (task) => [
    'bundle/gemini.js',
    '--model',
    MODEL,
    '--approval-mode',
    'yolo',
    '--skip-trust',
    '-p',
    task,
  ],
  write: (file_path, content) => ({ name: 'write_file', input: { file_path, content } }),
  shell: (command) => ({ name: 'run_shell_command', input: { command } }),
  look: (file_path) => ({ name: 'read_file', input: { file_path } }),
});

export const DROID = new ProgramClient('droid', {
  package: 'droid',
  version: '0.215.0',
  files: (baseUrl) => ({
    '.factory/settings.json': JSON.stringify({
      customModels: [
        {
          id: 'custom:gateway',
          model: MODEL,
          displayName: MODEL,
          baseUrl,
          apiKey: 'none',
          provider: 'generic-chat-completion-api',
          maxOutputTokens: 32_000,
        },
      ],
    }),
  }),
  env: () => ({ FACTORY_API_KEY: 'fk-none', FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false' }),
  // The launcher in JavaScript only looks for it.
  command: (task) => [
    `../@factory/cli-${process.platform}-${process.arch}/bin/droid`,
    ...['exec', '--model', 'custom:gateway', '--auto', 'high', task],
  ],
  write: (file_path, content) => ({ name: 'Create', input: { file_path, content } }),
  shell: (command) => ({
    name: 'Execute',
    input: { command, summary: 'The next step', riskLevelReason: 'It writes here', riskLevel: 'low' },
  }),
  look: (file_path) => ({ name: 'Read', input: { file_path } }),
  failureWords: /Exec failed/,
});
