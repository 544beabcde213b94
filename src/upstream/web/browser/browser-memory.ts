import { readFile } from 'node:fs/promises';
import { type LaunchedBrowser } from './launched-browser.js';

const PAGE_BYTES = 4096;

/**
 * Private memory of the processes of a browser on this machine in bytes: resident less shared. 0 where it cannot be
 * read, which is off Linux.
 */
export async function browserMemory({ session }: LaunchedBrowser): Promise<number> {
  if (process.platform !== 'linux') {
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
