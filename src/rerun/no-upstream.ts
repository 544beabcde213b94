import { type AccountSeed, UpstreamDriver, type UpstreamSession } from '../upstream/upstream-driver.js';

/** Stands for the upstream where none is asked. */
export class NoUpstream extends UpstreamDriver {
  seeds(): readonly AccountSeed[] {
    return [];
  }

  open(): Promise<UpstreamSession> {
    return Promise.reject(new Error('No upstream is asked here.'));
  }

  forget(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
