import {
  durationWords,
  fromFieldText,
  settingTitle,
  toFieldText,
  valueText,
} from '../../data/setting-values.js';
import { h } from '../kit/dom.js';

const SOURCES = {
  default: 'default',
  config: 'from config.json',
  environment: 'from the environment',
};

const SWITCH = { true: 'on', false: 'off' };

/**
 * The field of one setting.
 *
 * @param {any} setting as `/dashboard/api/settings` shows it
 * @param {() => void} onInput
 */
export class SettingField {
  /** @type {HTMLElement} */
  element;
  #setting;
  #input;
  #problem;
  #words = h('p', { class: 'quiet' });
  #goesBack = false;
  #back;

  constructor(setting, onInput) {
    this.#setting = setting;
    const id = `setting-${setting.name}`;
    this.#input = inputFor(setting, id);
    this.#problem = h('p', { class: 'field-error', id: `${id}-error`, role: 'alert' });
    this.#back = h('button', { type: 'button', class: 'small quiet' }, 'Use the default');
    this.#back.hidden = setting.readOnly || setting.source !== 'config';
    this.#input.addEventListener('input', () => {
      this.#goesBack = false;
      this.#changed(onInput);
    });
    this.#back.addEventListener('click', () => {
      this.#fill(!this.#goesBack);
      this.#changed(onInput);
    });
    this.element = h(
      'div',
      { class: 'setting', 'data-setting': setting.name },
      h(
        'div',
        { class: 'setting-text' },
        h('label', { for: id }, settingTitle(setting.name)),
        h('p', { class: 'mono quiet setting-name' }, setting.name),
        h('p', { class: 'quiet', id: `${id}-about` }, withCode(setting.about)),
      ),
      h('div', { class: 'setting-value' }, this.#input, this.#words, this.#problem),
      h('div', { class: 'setting-notes' }, notes(setting), this.#back),
    );
    this.#mark();
  }

  get name() {
    return this.#setting.name;
  }

  /** Whether a value is set anywhere. */
  get isSet() {
    return this.#setting.source !== 'default';
  }

  /** Value to save, null for the default; undefined if unchanged. */
  get change() {
    const { kind, value, secret } = this.#setting;
    if (this.#goesBack) {
      return null;
    }
    const text = this.#input.value;
    if (secret) {
      return text === '' ? undefined : text;
    }
    return text === toFieldText(kind, value) ? undefined : fromFieldText(kind, text);
  }

  /** Fills in an unsaved change again after the form was reloaded. */
  restore(change) {
    if (this.#setting.readOnly) {
      return;
    }
    this.#fill(change === null);
    if (change !== null) {
      this.#input.value = toFieldText(this.#setting.kind, change);
    }
    this.#mark();
  }

  discard() {
    this.#fill(false);
    this.#mark();
  }

  showProblem(message) {
    this.#problem.textContent = message;
    this.#input.setAttribute('aria-invalid', 'true');
  }

  focus() {
    this.#input.focus();
  }

  /** Fills in the value as it is, or the default that it goes back to. Secrets are not shown. */
  #fill(goesBack) {
    const { kind, value, default: fallback, secret } = this.#setting;
    this.#goesBack = goesBack;
    this.#input.value = secret ? '' : toFieldText(kind, goesBack ? fallback : value);
  }

  #changed(onInput) {
    this.#mark();
    onInput();
  }

  #mark() {
    this.#problem.textContent = '';
    this.#words.textContent = durationWords(this.name, this.#input.value);
    this.#input.removeAttribute('aria-invalid');
    this.#back.setAttribute('aria-pressed', String(this.#goesBack));
    // Unlike a text, a choice has no state of its own for read-only.
    this.#input.disabled = this.#goesBack || (this.#setting.readOnly && this.#input.matches('select'));
    this.element.classList.toggle('is-changed', this.change !== undefined);
  }
}

function inputFor(setting, id) {
  const { kind, choices = [], secret, readOnly, value, default: fallback, unset } = setting;
  const props = { id, name: setting.name, 'aria-describedby': `${id}-about ${id}-notes ${id}-error` };
  if (!secret && (kind === 'choice' || kind === 'boolean')) {
    const options = kind === 'boolean' ? ['true', 'false'] : choices;
    const select = h(
      'select',
      props,
      fallback === null && h('option', { value: '' }, unset ?? 'not set'),
      options.map((option) => h('option', { value: option }, kind === 'boolean' ? SWITCH[option] : option)),
    );
    select.value = toFieldText(kind, value);
    return select;
  }
  return h('input', {
    ...props,
    type: secret ? 'password' : 'text',
    inputmode: kind === 'integer' ? 'numeric' : undefined,
    autocomplete: secret ? 'new-password' : 'off',
    spellcheck: 'false',
    readonly: readOnly,
    placeholder: placeholderOf(setting),
    value: secret ? '' : toFieldText(kind, value),
  });
}

function placeholderOf({ secret, isSet, readOnly, unset = '' }) {
  if (!secret) {
    return unset;
  }
  return !isSet ? 'not set' : readOnly ? 'set' : 'set; type to replace it';
}

/** A text of the documentation, in which names stand between backticks. */
function withCode(text) {
  return text.split('`').map((part, at) => (at % 2 === 1 ? h('code', null, part) : part));
}

function notes(setting) {
  const { name, source, readOnly, restart, pending, default: fallback, kind, min, max, secret } = setting;
  const why = source === 'environment' ? 'set in the environment' : 'cannot be changed here';
  return h(
    'p',
    { class: 'notes', id: `setting-${name}-notes` },
    readOnly
      ? h('span', { class: 'tag locked' }, `read-only: ${why}`)
      : h('span', { class: `tag source-${source}` }, SOURCES[source] ?? source),
    h('span', { class: 'tag' }, restart ? 'applies at restart' : 'applies at once'),
    pending && h('span', { class: 'badge tone-warn' }, 'restart pending'),
    !secret &&
      h(
        'span',
        { class: 'quiet' },
        `default: ${valueText(setting, fallback)} ${durationWords(name, String(fallback))}`.trim(),
      ),
    kind === 'integer' &&
      min !== undefined &&
      max < 2 ** 31 - 1 &&
      h('span', { class: 'quiet' }, `${min} to ${max}`),
    kind === 'size' && h('span', { class: 'quiet' }, 'bytes, or 512kb, 32mb, 1gb'),
  );
}
