import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildGateway } from '../gateway/child-gateway.js';

/**
 * The URLs of all modules that a gateway in front of an API loads from its start to its end.
 * @param use use of the gateway meanwhile
 */
export async function loadedModules(
  environment: Readonly<Record<string, string>>,
  use: (gateway: ChildGateway) => Promise<void> = async () => undefined,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-loads-'));
  const file = join(folder, 'loads.txt');
  try {
    const child = await ChildGateway.start({
      DATA_DIR: folder,
      PROVIDER: 'openai',
      UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1',
      LOADS_FILE: file,
      NODE_OPTIONS: `--import=${new URL('note-loads.mjs', import.meta.url).href}`,
      ...environment,
    });
    try {
      await use(child);
    } finally {
      child.signal('SIGTERM');
      await child.ended;
    }
    return readFileSync(file, 'utf8').split('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
