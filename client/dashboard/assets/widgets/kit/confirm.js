import { h } from './dom.js';
import { opened } from './form-dialog.js';

/**
 * Asks before an action. "Cancel" has the focus, so that Enter is safe.
 *
 * @param {{ title: string, text: string, action: string }} question `action`: label of the confirming button
 * @returns {Promise<boolean>}
 */
export function confirmAction({ title, text, action }) {
  const cancel = h('button', { type: 'button', autofocus: true }, 'Cancel');
  const confirm = h('button', { type: 'button', class: 'danger primary' }, action);
  const dialog = h(
    'dialog',
    { 'aria-labelledby': 'confirm-title', id: 'confirm' },
    h('div', { class: 'stack' }, h('h2', { id: 'confirm-title' }, title), h('p', null, text)),
    h('div', { class: 'dialog-foot' }, cancel, confirm),
  );
  let isConfirmed = false;
  cancel.addEventListener('click', () => dialog.close());
  confirm.addEventListener('click', () => {
    isConfirmed = true;
    dialog.close();
  });
  return opened(dialog).then(() => isConfirmed);
}
