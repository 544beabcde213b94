import { send } from '../../data/api.js';
import { h } from '../kit/dom.js';
import { formDialog } from '../kit/form-dialog.js';

/** Credential fields that are not masked. */
const PLAIN = /^(user|username|name|email|login|region|organi[sz]ation)$/i;

/** For a provider that names none. */
const USUAL_NAMES = ['user', 'password'];

/**
 * Opens the form for a new account, or for new credentials of an existing one, and saves it.
 *
 * @param {{ account?: { id: string, name: string, credentialNames: string[] },
 *   credentialFields: readonly { name: string, isRequired: boolean }[] }} options
 *   `credentialFields`: what the provider wants to have
 * @returns {Promise<boolean>} whether anything was saved
 */
export function askForAccount({ account, credentialFields }) {
  const known =
    credentialFields.length > 0
      ? credentialFields
      : (account?.credentialNames ?? USUAL_NAMES).map((name) => ({ name, isRequired: true }));
  const credentials = h('div', { class: 'stack' }, known.map(knownField));
  const another = h('button', { type: 'button', class: 'small' }, 'Another field');
  another.addEventListener('click', () => {
    const field = otherField();
    credentials.append(field);
    field.querySelector('input').focus();
  });
  const name = h('input', { name: 'name', required: true, maxlength: '100', autocomplete: 'off' });
  const named =
    !account && h('label', { class: 'field' }, h('span', null, 'Name, as it appears in the log'), name);
  return formDialog({
    id: 'account-form',
    title: account ? `New credentials of ${account.name}` : 'Add an account',
    lead: account && h('p', { class: 'quiet' }, 'They replace all previous ones, which cannot be shown.'),
    action: account ? 'Save and log in' : 'Add',
    fields: [named, credentials, another],
    isAbout,
    submit: async () => {
      await submit(account, name.value.trim(), readFields(credentials));
      return undefined;
    },
  });
}

/** An error about `credentials` is about all of them, one about `credentials.key` about that alone. */
function isAbout(input, param) {
  const [part, credential] = param?.split('.') ?? [];
  if (part !== 'credentials' || !input.matches('[data-value]')) {
    return input.name === param;
  }
  return credential === undefined || nameOf(input.closest('[data-credential]')) === credential;
}

function submit(account, name, credentials) {
  return account
    ? send('PATCH', `/dashboard/api/accounts/${encodeURIComponent(account.id)}`, { credentials })
    : send('POST', '/dashboard/api/accounts', { name, credentials });
}

function knownField({ name, isRequired }) {
  return h(
    'label',
    { class: 'field', dataset: { credential: name } },
    h('span', null, isRequired ? name : `${name} (optional)`),
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
  const pairs = [...fields.querySelectorAll('[data-credential]')].map((field) => [
    nameOf(field),
    field.querySelector('[data-value]').value,
  ]);
  return Object.fromEntries(pairs.filter(([name, value]) => name !== '' || value !== ''));
}

function nameOf(field) {
  return field.dataset.credential || field.querySelector('[data-name]')?.value.trim() || '';
}
