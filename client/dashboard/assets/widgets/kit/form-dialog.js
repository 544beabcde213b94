import { fill, h } from './dom.js';

/** Value with which a dialog is closed that shows what is shown only once. */
export const DONE = 'done';

/**
 * Opens a form in a dialog and closes it once it is saved. A failure is shown in the form, which stays open.
 *
 * @param {{ id: string, title: string, lead?: HTMLElement, fields: readonly unknown[], action: string,
 *   isDanger?: boolean, submit: (form: HTMLFormElement) => Promise<HTMLElement | undefined>, isAbout: (input: any, param: string | undefined) => boolean }} options
 *   `action`: label of the saving button; `isDanger`: whether it cannot be undone; `submit`: saves, and may return what is to be shown instead of the form, once, until it closes the dialog with `DONE`;
 *   `isAbout`: whether an error about a parameter is about this input
 * @returns {Promise<boolean>} whether anything was saved
 */
export function formDialog({ id, title, lead, fields, action, isDanger = false, submit, isAbout }) {
  const problem = h('p', { class: 'field-error', id: `${id}-error`, role: 'alert' });
  const save = h('button', { type: 'submit', class: isDanger ? 'danger primary' : 'primary' }, action);
  const cancel = h('button', { type: 'button' }, 'Cancel');
  const foot = h('div', { class: 'dialog-foot' }, cancel, save);
  const form = h('form', { novalidate: true, class: 'stack' }, fields, problem, foot);
  const dialog = h('dialog', { id, 'aria-labelledby': `${id}-title` });
  fill(dialog, h('h2', { id: `${id}-title` }, title), lead, form);
  cancel.addEventListener('click', () => dialog.close());
  let isShown = false;
  // A second Escape in a row closes a dialog that prevents `cancel`.
  dialog.addEventListener('close', (event) => {
    if (save.disabled || (isShown && dialog.returnValue !== DONE)) {
      event.stopImmediatePropagation();
      dialog.showModal();
    }
  });
  let isSaved = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    // What the browser cannot read counts as empty, which would take a limit away.
    const unread = [...form.elements].find(({ validity }) => validity?.badInput);
    if (unread) {
      mark(form, problem, (input) => input === unread);
      problem.textContent = `This is no ${unread.type}.`;
      return;
    }
    save.disabled = true;
    cancel.disabled = true;
    problem.textContent = '';
    try {
      const result = await submit(form);
      isSaved = true;
      if (result) {
        isShown = true;
        fill(dialog, result);
        dialog.querySelector('button')?.focus();
      } else {
        dialog.close();
      }
    } catch (error) {
      mark(form, problem, (input) => isAbout(input, error.param));
      problem.textContent = error.message;
    } finally {
      save.disabled = false;
      cancel.disabled = false;
    }
  });
  return opened(dialog).then(() => isSaved);
}

/** Opens a dialog and removes it once it is closed. @param {HTMLDialogElement} dialog */
export function opened(dialog) {
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(undefined);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Marks the inputs that a problem is about, and puts it below the first of them; else above the buttons. */
function mark(form, problem, isWrong) {
  for (const input of form.querySelectorAll('input, select')) {
    const isMarked = isWrong(input);
    input.setAttribute('aria-invalid', String(isMarked));
    isMarked
      ? input.setAttribute('aria-errormessage', problem.id)
      : input.removeAttribute('aria-errormessage');
  }
  const first = form.querySelector('[aria-invalid="true"]');
  const field = first?.closest('.other-field') ?? first?.closest('.field');
  if (field) {
    field.after(problem);
  } else {
    form.lastElementChild.before(problem);
  }
  first?.focus();
}
