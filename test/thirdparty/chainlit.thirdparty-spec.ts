import { join, resolve } from 'node:path';
import { describeSite } from './describe-site.js';
import { installPythonPackage } from './pip-package.js';
import { SiteProcess } from './site-process.js';

/* Chainlit is licensed under Apache-2.0; nothing of it is in the repository. */
const VERSION = '2.12.0';
const SITES = resolve('test/thirdparty/sites');

const secret = (letter: string): Record<string, string> => ({ CHAINLIT_AUTH_SECRET: letter.repeat(64) });

describeSite(`Chainlit ${VERSION}`, {
  recipe: 'chainlit',
  hasReasoning: true,
  start: async (modelUrl) => {
    const programs = await installPythonPackage(`chainlit==${VERSION}`);
    return SiteProcess.start({
      name: 'chainlit',
      file: join(programs, 'chainlit'),
      args: (port) => ['run', join(SITES, 'chainlit_app.py'), '--headless', '--port', String(port)],
      env: () => ({ ...secret('a'), MODEL_URL: modelUrl, PYTHONPATH: SITES, PYTHONDONTWRITEBYTECODE: '1' }),
      health: '/login',
    });
  },
  // Its logins are tokens that are signed with the secret.
  runWithoutLogins: (site) => site.run(secret('b')),
});
