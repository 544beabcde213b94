import { readFile } from 'node:fs/promises';
import { type LaunchedBrowser } from './launched-browser.js';

const PAGE_BYTES = 4096;

/**
 * Private memory of a browser's processes in bytes: resident less shared. 0 where it cannot be read, which is for remote
 * browsers and off Linux.
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
