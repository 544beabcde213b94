import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withThisNode } from './npm-package.js';
import { SiteProcess } from './site-process.js';

/** Differences from the defaults: accounts, and no extensions; and nothing that reaches beyond this machine. */
const config = (hidesUsers: boolean): string => `enableUserAccounts: true
enableDiscreetLogin: ${hidesUsers}
listen: false
whitelistMode: true
whitelist: ['127.0.0.1']
whitelistDockerHosts: false
hostWhitelist:
  enabled: true
browserLaunch:
  enabled: false
extensions:
  enabled: false
enableDownloadableTokenizers: false
logging:
  enableAccessLog: false
`;

/**
 * Starts a SillyTavern server of the test's own.
 * @param hidesUsers whether the login page asks for a name instead of showing the users
 */
export function startSillyTavern(packageFolder: string, hidesUsers = false): Promise<SiteProcess> {
  const configFile = (folder: string): string => join(folder, 'config.yaml');
  return SiteProcess.start({
    name: 'sillytavern',
    file: process.execPath,
    args: (port, folder) => [
      join(packageFolder, 'server.js'),
      ...['--configPath', configFile(folder)],
      ...['--dataRoot', join(folder, 'data')],
      ...['--port', String(port)],
    ],
    env: () => ({ PATH: withThisNode(process.env).PATH ?? '' }),
    prepare: (folder) => writeFile(configFile(folder), config(hidesUsers)),
    health: '/csrf-token',
  });
}
