import { join, resolve } from 'node:path';
import { describeSite } from './describe-site.js';
import { installPythonPackage } from './pip-package.js';
import { SiteProcess } from './site-process.js';

/* Gradio is licensed under Apache-2.0; nothing of it is in the repository. */
const VERSION = '6.31.0';
const SITES = resolve('test/thirdparty/sites');

describeSite(`Gradio ChatInterface ${VERSION}`, {
  recipe: 'gradio',
  hasReasoning: false,
  asWritten: cleaned,
  start: async (modelUrl) => {
    const programs = await installPythonPackage(`gradio==${VERSION}`);
    return SiteProcess.start({
      name: 'gradio',
      file: join(programs, 'python'),
      args: () => [join(SITES, 'gradio_app.py')],
      env: (port) => ({
        PORT: String(port),
        MODEL_URL: modelUrl,
        PYTHONDONTWRITEBYTECODE: '1',
        GRADIO_ANALYTICS_ENABLED: 'False',
      }),
      health: '/',
    });
  },
  // It keeps its logins in memory.
  runWithoutLogins: (site) => site.run(),
});

/**
 * An answer after its server's clean-up (Python's `inspect.cleandoc`): no blanks at the start, no empty lines at either
 * end, blanks for tabs. Lines after the first keep their indentation if one of them has none, as here.
 */
function cleaned(text: string): string {
  const lines = text.split('\n').map(expandTabs);
  return lines
    .join('\n')
    .replace(/^ +/, '')
    .replace(/^\n+|\n+$/g, '');
}

function expandTabs(line: string): string {
  let expanded = '';
  let column = 0;
  for (const character of line) {
    const width = character === '\t' ? 8 - (column % 8) : 1;
    expanded += character === '\t' ? ' '.repeat(width) : character;
    column += width;
  }
  return expanded;
}
