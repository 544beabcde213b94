import { h } from '../kit/dom.js';

/** @typedef {{ keys: readonly string[], about: string, run: (event: KeyboardEvent) => void }} Shortcut */

/** @type {Shortcut[]} */
const shortcuts = [
  { keys: ['?'], about: 'Show these keys', run: () => showHelp() },
  { keys: ['/'], about: 'Go to the filter', run: () => filterInput()?.focus() },
  { keys: ['j', 'ArrowDown'], about: 'Next entry', run: (event) => moveBy(1, event) },
  { keys: ['k', 'ArrowUp'], about: 'Previous entry', run: (event) => moveBy(-1, event) },
];
const EXPLAINED = [['Enter', 'Fold an entry out, and in again']];
const NAMES = { ArrowDown: '↓', ArrowUp: '↑' };

/** Adds shortcuts of a page. */
export function addShortcuts(...more) {
  shortcuts.push(...more);
}

export function listenForShortcuts() {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) {
      return;
    }
    if (isTyping(event.target)) {
      leaveFilter(event);
      return;
    }
    const shortcut = shortcuts.find(({ keys }) => keys.includes(event.key));
    if (shortcut && !(event.key.startsWith('Arrow') && !isRow(document.activeElement))) {
      event.preventDefault();
      shortcut.run(event);
    }
  });
}

export function showHelp() {
  const close = h('button', { type: 'button', class: 'primary' }, 'Close');
  const lines = [
    ...shortcuts.map(({ keys, about }) => [keys.map((key) => NAMES[key] ?? key), about]),
    ...EXPLAINED.map(([key, about]) => [[key], about]),
  ];
  const dialog = h(
    'dialog',
    { id: 'help', 'aria-labelledby': 'help-title' },
    h('h2', { id: 'help-title' }, 'Keyboard shortcuts'),
    h(
      'dl',
      { class: 'keys' },
      lines.map(([keys, about]) => [
        h(
          'dt',
          null,
          keys.map((key, at) => [at > 0 ? ' ' : '', h('kbd', null, key)]),
        ),
        h('dd', null, about),
      ]),
    ),
    h('div', { class: 'dialog-foot' }, close),
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function isTyping(target) {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

/** Escape leaves the filter for the entries. */
function leaveFilter(event) {
  if (event.key === 'Escape' && event.target === filterInput()) {
    event.target.blur();
  }
}

function filterInput() {
  return document.querySelector('[data-shortcut="/"]');
}

function isRow(element) {
  return element?.matches('[data-row]') ?? false;
}

/** Moves the focus by one entry, from the focused one or from the top. */
function moveBy(step, event) {
  const rows = [...document.querySelectorAll('[data-row]')].filter((row) => !row.closest('[hidden]'));
  const current = document.activeElement?.closest('[data-entry]')?.querySelector('[data-row]');
  const at = rows.indexOf(isRow(document.activeElement) ? document.activeElement : current);
  const next = rows[at < 0 && event.key !== 'k' ? 0 : at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
