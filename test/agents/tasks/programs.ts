import { type ScriptedCall } from '../../support/upstream/scripted-model.js';
import { ProgramClient } from './program-client.js';
import { writeCommand } from './task-client.js';

const MODEL = 'svc-max';
const CONTEXT_WINDOW = 200_000;
const MAX_OUTPUT = 32_000;

export const OPENCODE = new ProgramClient('opencode', {
  package: 'opencode-ai',
  version: '1.18.33',
  files: (baseURL) => ({
    'opencode.json': JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      model: `gateway/${MODEL}`,
      small_model: `gateway/${MODEL}`,
      permission: { '*': 'allow' },
      provider: {
        gateway: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL, apiKey: 'none' },
          models: {
            [MODEL]: {
              attachment: true,
              modalities: { input: ['text', 'image'], output: ['text'] },
              limit: { context: CONTEXT_WINDOW, output: MAX_OUTPUT },
            },
          },
        },
      },
    }),
  }),
  env: (home) => ({
    OPENCODE_CONFIG: `${home}/opencode.json`,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  }),
  // Its launcher in JavaScript is put in place by a script of the installation, which is not run.
  command: (task) => [`../opencode-${process.platform}-${process.arch}/bin/opencode`, 'run', task],
  write: (filePath, content) => ({ name: 'write', input: { filePath, content } }),
  shell: (command) => ({ name: 'bash', input: { command } }),
  look: (filePath) => ({ name: 'read', input: { filePath } }),
});

export const PI = new ProgramClient('pi', {
  package: '@earendil-works/pi-coding-agent',
  version: '1.6.0',
  files: (baseUrl) => ({
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        gateway: {
          baseUrl,
          api: 'openai-completions',
          apiKey: 'none',
          models: [
            {
              id: MODEL,
              reasoning: true,
              input: ['text', 'image'],
              contextWindow: CONTEXT_WINDOW,
              maxTokens: MAX_OUTPUT,
            },
          ],
        },
      },
    }),
  }),
  env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
  command: (task) => ['dist/cli.js', '--provider', 'gateway', '--model', MODEL, '-p', task],
  write: (path, content) => ({ name: 'write', input: { path, content } }),
  shell: (command) => ({ name: 'bash', input: { command } }),
  look: (path) => ({ name: 'read', input: { path } }),
});

export const CLINE = new ProgramClient('cline', {
  package: 'cline',
  version: '3.0.65',
  files: (baseUrl) => ({
    '.cline/data/settings/providers.json': JSON.stringify({
      version: 1,
      lastUsedProvider: 'openai-compatible',
      modes: {},
      providers: {
        'openai-compatible': {
          settings: { provider: 'openai-compatible', apiKey: 'none', model: MODEL, baseUrl },
          updatedAt: '2026-01-01T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    }),
  }),
  env: () => ({
    DISABLE_TELEMETRY: '1',
    CLINE_NO_AUTO_UPDATE: '1',
    // No process that outlives the task.
    CLINE_SESSION_BACKEND_MODE: 'local',
  }),
  command: (task) => [`../@cline/cli-${process.platform}-${process.arch}/bin/cline`, task],
  write: (path, new_text) => ({ name: 'editor', input: { path, new_text } }),
  shell: (command) => ({ name: 'run_commands', input: { commands: [command] } }),
});

export const CONTINUE = new ProgramClient('continue', {
  package: '@continuedev/cli',
  version: '1.5.47',
  files: (apiBase) => ({
    // JSON is YAML.
    'config.yaml': JSON.stringify({
      name: 'gateway',
      version: '1.0.0',
      schema: 'v1',
      models: [
        {
          name: MODEL,
          provider: 'openai',
          model: MODEL,
          apiBase,
          apiKey: 'none',
          roles: ['chat'],
          capabilities: ['tool_use', 'image_input'],
        },
      ],
    }),
  }),
  env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
  command: (task, home) => ['dist/cn.js', '-p', '--auto', '--config', `${home}/config.yaml`, task],
  write: (filepath, content) => ({ name: 'Write', input: { filepath, content } }),
  shell: (command) => ({ name: 'Bash', input: { command } }),
});

const bash = (command: string): ScriptedCall => ({
  name: 'shell',
  input: { command: ['bash', '-c', command] },
});

/** The last versions that speak the chat format, as many of its kin do. */
export const CODEX_CHAT = new ProgramClient('codex', {
  package: '@openai/codex',
  version: '0.94.0',
  files: (baseUrl) => ({
    '.codex/config.toml': `model = "${MODEL}"
model_provider = "gateway"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.gateway]
name = "Gateway"
base_url = "${baseUrl}"
env_key = "GATEWAY_API_KEY"
wire_api = "chat"
`,
  }),
  env: () => ({ GATEWAY_API_KEY: 'none' }),
  command: (task) => [
    'bin/codex.js',
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    task,
  ],
  write: (path, content) => bash(writeCommand(path, content)),
  shell: bash,
  look: (path) => ({ name: 'view_image', input: { path } }),
});

export const QWEN_CODE = new ProgramClient('Qwen Code', {
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  files: () => ({
    '.qwen/settings.json': JSON.stringify({
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
    }),
  }),
  env: (_home, baseUrl) => ({
    QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: 'none',
    OPENAI_MODEL: MODEL,
  }),
  command: (task) => ['cli-entry.js', '--auth-type', 'openai', '--approval-mode', 'yolo', '-p', task],
  write: (file_path, content) => ({ name: 'write_file', input: { file_path, content } }),
  shell: (command) => ({ name: 'run_shell_command', input: { command, is_background: false } }),
  look: (file_path) => ({ name: 'read_file', input: { file_path } }),
});

export const COPILOT = new ProgramClient('Copilot CLI', {
  package: '@github/copilot',
  version: '1.0.102',
  env: (_home, baseUrl) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: baseUrl,
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_MODEL: MODEL,
  }),
  command: (task) => ['npm-loader.js', '--no-color', '--allow-all-tools', '-p', task],
  write: (path, file_text) => ({ name: 'create', input: { path, file_text } }),
  shell: (command) => ({ name: 'bash', input: { command, description: 'The next step' } }),
  look: (path) => ({ name: 'view', input: { path } }),
});
