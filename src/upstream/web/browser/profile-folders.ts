import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findClosedFolder, type UserIds } from './unprivileged-user.js';

const PREFIX = 'browser-';

/**
 * Profile folders of local browsers, one per start. They hold nothing worth keeping (login state lives in the store), so
 * leftovers of a killed process are removed before the first start.
 */
export class ProfileFolders {
  private swept: Promise<string> | undefined;

  constructor(private readonly root: string) {}

  /** Creates an empty folder that only its user can read. */
  async create(user: UserIds | undefined): Promise<string> {
    const root = await (this.swept ??= this.sweep(user));
    // The system may have cleaned a temporary folder meanwhile.
    await mkdir(root, { recursive: true, mode: 0o711 });
    const folder = await mkdtemp(path.join(root, PREFIX));
    await chmod(folder, 0o700);
    if (user) {
      await chown(folder, user.uid, user.gid);
    }
    return folder;
  }

  async remove(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  /** Removes the folder of the profiles if it is empty. */
  async close(): Promise<void> {
    const root = await this.swept?.catch(() => undefined);
    if (root) {
      await rmdir(root).catch(() => undefined);
    }
  }

  /** A failed sweep is repeated at the next start: a full disk may have space by then. */
  private sweep(user: UserIds | undefined): Promise<string> {
    const swept = this.prepare(user);
    swept.catch(() => (this.swept = undefined));
    return swept;
  }

  private async prepare(user: UserIds | undefined): Promise<string> {
    const root = await this.reachableRoot(user);
    await mkdir(root, { recursive: true, mode: 0o711 });
    await chmod(root, 0o711);
    const leftovers = (await readdir(root)).filter((name) => name.startsWith(PREFIX));
    await Promise.all(leftovers.map((name) => this.remove(path.join(root, name))));
    return root;
  }

  /** The profiles' folder; below the system's temporary folder if the browser's user cannot reach the wanted one. */
  private async reachableRoot(user: UserIds | undefined): Promise<string> {
    if (!user || (await findClosedFolder(path.join(this.root, PREFIX))) === undefined) {
      return this.root;
    }
    const id = createHash('sha256').update(this.root).digest('hex').slice(0, 12);
    const folder = path.join(tmpdir(), `chat-gateway-profiles-${id}`);
    const found = await lstat(folder).catch(() => undefined);
    // Another user may have planted a link there, to have a foreign folder swept.
    if (found && (!found.isDirectory() || found.uid !== process.getuid?.())) {
      return mkdtemp(`${folder}-`);
    }
    return folder;
  }
}
