import { readFileSync } from 'node:fs';
import { writeFileAtomically } from '../common/files/atomic-file.js';
import { OWNER_ONLY_FILE } from '../common/files/private-path.js';
import { ALL_WELL, type WatchedState } from './alert-state.js';

/** The state reported last, kept over restarts in a file, so that the next process reports its end, and nothing twice. */
export class ReportedState {
  constructor(private readonly path: string) {}

  /** @returns that all is well where nothing can be read */
  read(): WatchedState {
    try {
      const { readiness, accountsOut, isLogHealthy } = JSON.parse(
        readFileSync(this.path, 'utf8'),
      ) as Partial<WatchedState>;
      return {
        readiness: String(readiness ?? ALL_WELL.readiness),
        accountsOut: (accountsOut ?? ALL_WELL.accountsOut).map(String),
        isLogHealthy: isLogHealthy !== false,
      };
    } catch {
      return ALL_WELL;
    }
  }

  /** @throws what the file system says, e.g. of a full disk */
  write({ readiness, accountsOut, isLogHealthy }: WatchedState): void {
    const text = `${JSON.stringify({ readiness, accountsOut, isLogHealthy })}\n`;
    writeFileAtomically(this.path, Buffer.from(text), OWNER_ONLY_FILE);
  }
}
