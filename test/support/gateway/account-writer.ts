import 'reflect-metadata';
import { LoginRequiredError } from '../../../src/upstream/upstream.errors.js';
import { ScriptedDriver } from '../upstream/scripted-driver.js';
import { AccountsRig } from './accounts-rig.js';

/**
 * Changes accounts in the folder given as argument without end, and prints each change once it has been made:
 * a child process for a test that kills it.
 */
const seeds = ['cooling', 'walled', 'off', 'busy'].map((name) => ({
  name,
  credentials: { key: `key-${name}` },
}));
const rig = await AccountsRig.start(new ScriptedDriver(seeds), { DATA_DIR: process.argv[2] });
const { commands, health, registry } = rig;

health.coolDown(rig.account('cooling'), 3_600_000, 'limit');
health.requireLogin(rig.account('walled'), new LoginRequiredError('login_wall', 'Logged out.'));
await commands.disable(null, rig.account('off').id);
registry.toUpstream(rig.account('busy')).saveState('cookies');
process.stdout.write('states\n');

for (let count = 1; ; count += 1) {
  health.countRequest(rig.account('busy'));
  const { id } = await commands.add(null, `added-${count}`, { key: 'k' });
  process.stdout.write(`${count} ${id} ${Date.now()}\n`);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
