import { expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AuditLog } from './audit-log.js';

class ScriptedAuditLog extends AuditLog {
  constructor(private readonly result: Promise<void>) {
    super();
  }

  protected write(): Promise<void> {
    return this.result;
  }

  async list(): Promise<[]> {
    return [];
  }
}

it('tells the process log of each action', async () => {
  const logged = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
  await new ScriptedAuditLog(Promise.resolve()).add({ actor: 'olga', action: 'key.revoke', subject: 'ann' });
  expect(logged.mock.calls).toEqual([
    [{ event: 'audit', actor: 'olga', action: 'key.revoke', subject: 'ann' }, 'an operator has acted'],
  ]);
  logged.mockRestore();
});

it('tells the process log of an action that cannot be stored, and lets its result reach the operator', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  await new ScriptedAuditLog(Promise.reject(new Error('disk full'))).add({
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
