import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { passwordOf, SITE_USERS } from './driven-site.js';
import { SiteProcess } from './site-process.js';

const ADMINISTRATOR = { name: 'admin', email: 'admin@localhost', password: 'of the administrator' };
/** Of the signature of its logins. */
export const LOGIN_SECRET = 'WEBUI_SECRET_KEY';

/** Settings that `open-webui.md` asks for, and nothing that reaches beyond this machine. */
const SETTINGS: Readonly<Record<string, string>> = {
  DEFAULT_MODEL_PARAMS: JSON.stringify({ reasoning_tags: false }),
  DEFAULT_MODEL_METADATA: JSON.stringify({ capabilities: { builtin_tools: false, usage: true } }),
  ENABLE_MEMORIES: 'False',
  ENABLE_FOLLOW_UP_GENERATION: 'False',
  ENABLE_TITLE_GENERATION: 'False',
  ENABLE_TAGS_GENERATION: 'False',
  BYPASS_MODEL_ACCESS_CONTROL: 'True',
  ENABLE_FORWARD_USER_INFO_HEADERS: 'True',
  ENABLE_OLLAMA_API: 'False',
  ENABLE_VERSION_UPDATE_CHECK: 'False',
  OFFLINE_MODE: 'True',
  RAG_EMBEDDING_ENGINE: 'openai',
  AUDIO_STT_ENGINE: 'openai',
  ANONYMIZED_TELEMETRY: 'False',
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Starts an Open WebUI server of the test's own, with the users of `SITE_USERS`. */
export async function startOpenWebUi(programs: string, modelUrl: string): Promise<SiteProcess> {
  const site = await SiteProcess.start({
    name: 'open-webui',
    file: join(programs, 'open-webui'),
    args: (port) => ['serve', '--host', '127.0.0.1', '--port', String(port)],
    env: (_port, folder) => ({
      ...SETTINGS,
      DATA_DIR: join(folder, 'data'),
      OPENAI_API_BASE_URLS: modelUrl,
      OPENAI_API_KEYS: 'key-of-the-site',
      [LOGIN_SECRET]: 'a'.repeat(64),
    }),
    prepare: async (folder) => void (await mkdir(join(folder, 'data'))),
    health: '/health',
  });
  try {
    // Its first user administers it.
    const { token } = (await post(site, 'signup', ADMINISTRATOR)) as { token: string };
    for (const user of SITE_USERS) {
      const account = { name: user, email: emailOf(user), password: passwordOf(user), role: 'user' };
      await post(site, 'add', account, { authorization: `Bearer ${token}` });
    }
    return site;
  } catch (error) {
    await site.stop();
    throw error;
  }
}

export function emailOf(user: string): string {
  return `${user}@localhost`;
}

async function post(
  { origin }: SiteProcess,
  name: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await fetch(`${origin}/api/v1/auths/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  if (!response.ok) {
    throw new Error(`${name}: ${response.status} ${await response.text()}`);
  }
  return response.json();
}
