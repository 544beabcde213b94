import { describeSite } from './describe-site.js';
import { installPythonPackage } from './pip-package.js';
import { emailOf, LOGIN_SECRET, startOpenWebUi } from './start-open-webui.js';

/* Open WebUI has a licence of its own; nothing of it is in the repository. */
const VERSION = '0.12.4';

/** For models and formats of files that a chat does not use: gigabytes. */
const UNNEEDED = [
  'accelerate',
  'faster-whisper',
  'opencv-python-headless',
  'pyarrow',
  'rapidocr',
  'sentence-transformers',
  'transformers',
];

describeSite(`Open WebUI ${VERSION}`, {
  recipe: 'open-webui',
  hasReasoning: true,
  takesImages: true,
  loginName: emailOf,
  // It has one key for all its users, and names them.
  userOf: ({ headers }) => String(headers['x-openwebui-user-name']),
  start: async (modelUrl) =>
    startOpenWebUi(await installPythonPackage(`open-webui==${VERSION}`, UNNEEDED), modelUrl),
  // Its logins are tokens that are signed with the secret.
  runWithoutLogins: (site) => site.run({ [LOGIN_SECRET]: 'b'.repeat(64) }),
});
