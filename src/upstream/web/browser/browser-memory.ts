import { readFile } from 'node:fs/promises';
import { type LaunchedBrowser } from './launched-browser.js';

const PAGE_BYTES = 4096;

/**
 * Bytes that a browser's processes hold for themselves (resident less shared). 0 where this cannot be known:
 * for remote browsers, and off Linux.
 */
export async function browserMemory({ session, isRemote }: LaunchedBrowser): Promise<number> {
  if (isRemote || process.platform !== 'linux') {
    return 0;
  }
  const { processInfo } = await session.send('SystemInfo.getProcessInfo').catch(() => ({ processInfo: [] }));
  const sizes = await Promise.all(processInfo.map(({ id }) => privateBytes(id)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function privateBytes(pid: number): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
  const [, resident = 0, shared = 0] = statm.split(' ').map(Number);
  return (resident - shared) * PAGE_BYTES;
}
