import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The reason why no small disk can be mounted here; undefined if it can. */
export function whyNoSmallDisk(): string | undefined {
  if (process.platform !== 'linux') {
    return 'needs Linux';
  }
  try {
    new SmallDisk(2 ** 20).remove();
    return undefined;
  } catch {
    return 'needs the right to mount a tmpfs';
  }
}

/** A tmpfs of a few megabytes that a test can fill up. */
export class SmallDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  private readonly ballast = join(this.folder, 'ballast');

  constructor(bytes: number) {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', this.folder], {
        stdio: 'ignore',
      });
    } catch (error) {
      rmSync(this.folder, { recursive: true });
      throw error;
    }
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** Leaves not one byte free. */
  fill(): void {
    try {
      writeFileSync(this.ballast, Buffer.alloc(this.freeBytes + 1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') {
        throw error;
      }
    }
  }

  empty(): void {
    unlinkSync(this.ballast);
  }

  remove(): void {
    execFileSync('umount', ['-l', this.folder]);
    rmSync(this.folder, { recursive: true });
  }
}
