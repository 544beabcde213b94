import { send } from '../../data/api.js';
import { fill, h } from '../kit/dom.js';

/** Credential fields that are not masked. */
const PLAIN = /^(user|username|name|email|login|region|organi[sz]ation)$/i;

/**
 * Opens the form for a new account, or for new credentials of an existing one, and saves it.
 *
 * @param {{ account?: { id: string, name: string, credentialNames: string[] }, fieldNames?: readonly string[] }} options
 *   `fieldNames`: names of the credentials of other accounts
 * @returns {Promise<boolean>} whether anything was saved
 */
export function askForAccount({ account, fieldNames = account?.credentialNames ?? [] }) {
  const title = account ? `New credentials of ${account.name}` : 'Add an account';
  const fields = h('div', { class: 'stack' });
  const problem = h('p', { class: 'field-error', role: 'alert' });
  const save = h('button', { type: 'submit', class: 'primary' }, account ? 'Save and log in' : 'Add');
  const cancel = h('button', { type: 'button' }, 'Cancel');
  const another = h('button', { type: 'button', class: 'small' }, 'Another field');
  const name = h('input', { name: 'name', required: true, maxlength: '100', autocomplete: 'off' });
  const form = h(
    'form',
    { novalidate: true },
    !account && h('label', { class: 'field' }, h('span', null, 'Name, as it appears in the log'), name),
    fields,
    another,
    problem,
    h('div', { class: 'dialog-foot' }, cancel, save),
  );
  const dialog = h(
    'dialog',
    { id: 'account-form', 'aria-labelledby': 'account-title' },
    h('h2', { id: 'account-title' }, title),
    account && h('p', { class: 'quiet' }, 'They replace all of the former ones, which cannot be shown.'),
    form,
  );
  fill(fields, fieldNames.map(knownField));
  another.addEventListener('click', () => {
    const field = otherField();
    fields.append(field);
    field.querySelector('input').focus();
  });
  cancel.addEventListener('click', () => dialog.close());

  return new Promise((resolve) => {
    let isSaved = false;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      save.disabled = true;
      problem.textContent = '';
      try {
        await submit(account, name.value.trim(), readFields(fields));
        isSaved = true;
        dialog.close();
      } catch (error) {
        problem.textContent = error.message;
        mark(form, error.param);
      } finally {
        save.disabled = false;
      }
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(isSaved);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

function submit(account, name, credentials) {
  return account
    ? send('PATCH', `/dashboard/api/accounts/${encodeURIComponent(account.id)}`, { credentials })
    : send('POST', '/dashboard/api/accounts', { name, credentials });
}

function knownField(name) {
  return h(
    'label',
    { class: 'field', dataset: { credential: name } },
    h('span', null, name),
    h('input', { ...inputProps(name), name: `credential-${name}`, 'data-value': true }),
  );
}

function otherField() {
  const remove = h('button', { type: 'button', class: 'small', 'aria-label': 'Leave this field out' }, '×');
  const field = h(
    'div',
    { class: 'other-field', dataset: { credential: '' } },
    h(
      'label',
      { class: 'field' },
      h('span', null, 'Field'),
      h('input', { 'data-name': true, autocomplete: 'off' }),
    ),
    h(
      'label',
      { class: 'field' },
      h('span', null, 'Value'),
      h('input', { ...inputProps(''), 'data-value': true }),
    ),
    remove,
  );
  remove.addEventListener('click', () => field.remove());
  return field;
}

function inputProps(name) {
  return { type: PLAIN.test(name) ? 'text' : 'password', autocomplete: 'new-password', spellcheck: 'false' };
}

function readFields(fields) {
  const pairs = [...fields.children].map((field) => [
    field.dataset.credential || field.querySelector('[data-name]')?.value.trim() || '',
    field.querySelector('[data-value]').value,
  ]);
  return Object.fromEntries(pairs.filter(([name, value]) => name !== '' || value !== ''));
}

function mark(form, param) {
  for (const input of form.querySelectorAll('input')) {
    const isWrong =
      param === 'name' ? input.name === 'name' : param !== undefined && input.matches('[data-value]');
    input.setAttribute('aria-invalid', String(isWrong));
  }
  form.querySelector('[aria-invalid="true"]')?.focus();
}
