import { hasKey, isKeyKept, keyChanges } from '../../data/key/key-store.js';
import { h } from '../kit/dom.js';
import { opened } from '../kit/form-dialog.js';

const MESSAGES = {
  wrong: 'That key is not right.',
  unreachable: 'The gateway does not answer. Try again in a moment.',
};

/**
 * Asks for the API key until it is right, or another tab has one for all.
 *
 * @param {{ isStale: boolean, check: (key: string, isKept: boolean) => Promise<'right' | 'wrong' | 'unreachable'> }} options `isStale`:
 *   a key was sent and refused
 * @returns {Promise<boolean>} false if the dialog was closed without a right key
 */
export function askForKey({ isStale, check }) {
  const { form, input, keep, error, submit } = keyForm(isStale);
  const dialog = h(
    'dialog',
    { id: 'key-dialog', 'aria-labelledby': 'key-title' },
    h('h2', { id: 'key-title' }, 'Enter the API key'),
    form,
  );

  let isRight = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    submit.disabled = true;
    error.textContent = '';
    const verdict = input.value.trim() === '' ? 'wrong' : await check(input.value.trim(), keep.checked);
    submit.disabled = false;
    isRight = verdict === 'right';
    if (isRight) {
      dialog.close();
      return;
    }
    error.textContent = MESSAGES[verdict];
    input.setAttribute('aria-invalid', 'true');
    input.select();
  });
  // Another tab may have been given a key that is kept for all.
  const adopt = () => {
    isRight ||= hasKey();
    if (isRight) {
      dialog.close();
    }
  };
  keyChanges.addEventListener('change', adopt);
  return opened(dialog).then(() => {
    keyChanges.removeEventListener('change', adopt);
    return isRight;
  });
}

/** The form, and those of its elements that change. @param {boolean} isStale */
function keyForm(isStale) {
  const input = h('input', {
    type: 'password',
    name: 'key',
    id: 'key-input',
    required: true,
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'key-error',
  });
  const keep = h('input', { type: 'checkbox', name: 'keep', checked: isKeyKept() });
  const error = h(
    'p',
    { class: 'field-error', id: 'key-error', role: 'alert' },
    isStale ? 'The key that was used here is no longer valid.' : '',
  );
  const submit = h('button', { type: 'submit', class: 'primary' }, 'Continue');
  const form = h(
    'form',
    null,
    h(
      'p',
      { class: 'quiet' },
      "This gateway is protected. The value of its setting API_KEY or an operator's key opens all pages, a caller's key what is its own. The key stays in this tab until you close it.",
    ),
    h('label', { class: 'field' }, h('span', null, 'API key'), input),
    h('label', { class: 'check' }, keep, h('span', null, 'Keep it in this browser, for all tabs')),
    error,
    h('div', { class: 'dialog-foot' }, submit),
  );
  return { form, input, keep, error, submit };
}
