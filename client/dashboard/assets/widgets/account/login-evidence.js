import { getPicture } from '../../data/api.js';
import { exact } from '../../data/format.js';
import { fill, h } from '../kit/dom.js';
import { words } from '../kit/labels.js';

/** Opens a dialog with the evidence of a failed login, its screenshot included. */
export async function showEvidence(id, name, { fault, message, at, url, title, hasScreenshot }) {
  const picture = h('div', { class: 'evidence' });
  const close = h('button', { type: 'button', class: 'primary' }, 'Close');
  const list = [
    ['Reason', words(fault)],
    ...(title ? [['Page', title]] : []),
    ['When', exact(at), 'double'],
    ['Address', url || '–', 'double'],
  ];
  const dialog = h(
    'dialog',
    { class: 'wide', id: 'evidence', 'aria-labelledby': 'evidence-title' },
    h('h2', { id: 'evidence-title' }, `Login of ${name}`),
    h(
      'div',
      { class: 'stack' },
      h('p', null, message),
      h(
        'dl',
        { class: 'facts' },
        list.map(([label, value, className]) =>
          h('div', { class: className }, h('dt', null, label), h('dd', null, value)),
        ),
      ),
      picture,
    ),
    h('div', { class: 'dialog-foot' }, close),
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
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
