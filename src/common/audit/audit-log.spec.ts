import { expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AuditLog } from './audit-log.js';

class FullAuditLog extends AuditLog {
  protected async write(): Promise<void> {
    throw new Error('disk full');
  }

  async list(): Promise<[]> {
    return [];
  }
}

it('tells the process log of an action that cannot be stored, and lets its result reach the operator', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  await new FullAuditLog().add({
    actor: 'olga',
    action: 'key.rotate',
    subject: 'ann',
    after: { overlapMs: 0 },
  });
  expect(logged.mock.calls).toEqual([
    [
      {
        event: 'audit_lost',
        actor: 'olga',
        action: 'key.rotate',
        subject: 'ann',
        after: { overlapMs: 0 },
        err: new Error('disk full'),
      },
      'an action is missing in the audit list',
    ],
  ]);
  logged.mockRestore();
});
