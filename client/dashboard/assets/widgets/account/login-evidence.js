import { getPicture } from '../../data/api.js';
import { exact, NONE } from '../../data/format.js';
import { fill, h } from '../kit/dom.js';
import { factItems } from '../kit/fact-items.js';
import { opened } from '../kit/form-dialog.js';
import { words } from '../kit/labels.js';

/** Opens a dialog with the evidence of a failed login, its screenshot included. */
export async function showEvidence(id, name, { fault, message, at, url, title, hasScreenshot }) {
  const picture = h('div', { class: 'evidence' });
  const close = h('button', { type: 'button', class: 'primary' }, 'Close');
  const list = [
    ['Reason', words(fault)],
    ...(title ? [['Page', title]] : []),
    ['When', exact(at), 'double'],
    ['Address', url || NONE, 'double'],
  ];
  const dialog = h(
    'dialog',
    { class: 'wide', id: 'evidence', 'aria-labelledby': 'evidence-title' },
    h('h2', { id: 'evidence-title' }, `Login of ${name}`),
    h(
      'div',
      { class: 'stack' },
      h('p', null, message),
      h('dl', { class: 'facts' }, factItems(list)),
      picture,
    ),
    h('div', { class: 'dialog-foot' }, close),
  );
  close.addEventListener('click', () => dialog.close());
  void opened(dialog);
  if (!hasScreenshot) {
    fill(
      picture,
      h(
        'p',
        { class: 'quiet' },
        'There is no picture of the page. None is taken of chat pages while LOG_CONTENT is none.',
      ),
    );
    return;
  }
  try {
    const source = await getPicture(`/dashboard/api/accounts/${encodeURIComponent(id)}/evidence/screenshot`);
    fill(picture, h('img', { src: source, alt: `The page at which the login of ${name} failed` }));
  } catch (error) {
    fill(picture, h('p', { class: 'field-error' }, error.message));
  }
}
