import { expect, it } from '@jest/globals';
import { SteppedClock } from '../../../test/support/gateway/accounts-rig.js';
import { eachStore } from '../../../test/support/postgres/opened-stores.js';
import { type AuditLog } from './audit-log.js';
import { PgAuditLog } from './pg-audit-log.js';
import { SqliteAuditLog } from './sqlite-audit-log.js';

const clock = new SteppedClock();

const LOGS = eachStore<AuditLog>({
  embedded: (database) => new SqliteAuditLog(database, clock),
  shared: (database) => new PgAuditLog(database, clock),
});

it.each(LOGS)('the %s audit list is kept, newest first, by pages', async (_name, open) => {
  const { store: audit, close } = await open();
  try {
    await audit.add({ actor: null, action: 'key.create', subject: 'ann', after: { role: 'caller' } });
    await audit.add({ actor: 'olga', action: 'settings.change', subject: null, before: 1 });
    const [second, first] = await audit.list(50);
    expect(first).toMatchObject({ actor: null, subject: 'ann', before: null, after: { role: 'caller' } });
    expect(second).toMatchObject({ actor: 'olga', subject: null, before: 1, after: null, at: clock.now() });
    expect(await audit.list(1)).toEqual([second]);
    expect(await audit.list(50, second!.number)).toEqual([first]);
  } finally {
    await close();
  }
});
