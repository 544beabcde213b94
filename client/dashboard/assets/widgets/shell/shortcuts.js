import { filterQuery } from '../../data/filters.js';
import { copyText } from '../kit/copy.js';
import { h } from '../kit/dom.js';
import { opened } from '../kit/form-dialog.js';

/** @typedef {{ keys: readonly string[], about: string, run: (event: KeyboardEvent) => void }} Shortcut */

/** @type {Shortcut[]} */
const shortcuts = [
  { keys: ['?'], about: 'Show these keys', run: () => showHelp() },
  { keys: ['/'], about: 'Go to the filter', run: () => filterInput()?.focus() },
  { keys: ['j', 'ArrowDown'], about: 'Next entry', run: (event) => moveBy(1, event) },
  { keys: ['k', 'ArrowUp'], about: 'Previous entry', run: (event) => moveBy(-1, event) },
  { keys: ['e'], about: 'Next failed request', run: () => goToFailure() },
  { keys: ['c'], about: 'Copy the link of the request', run: () => void copyLink() },
];
const EXPLAINED = [['Enter', 'Fold an entry out, and in again']];
/** Outcomes of requests that are no failures. */
const HARMLESS = ['pending', 'ok', 'cancelled'];
const NOTE_MS = 2500;
/** What a key has done, where nothing else shows it. */
const note = h('p', { class: 'toast', role: 'status' });
let noteTimer;
const NAMES = { ArrowDown: '↓', ArrowUp: '↑' };

/** Adds shortcuts of a page. */
export function addShortcuts(...more) {
  shortcuts.push(...more);
}

export function listenForShortcuts() {
  document.body.append(note);
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
  void opened(dialog);
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
  const { rows, at } = shownRows();
  focusRow(rows[at < 0 && event.key !== 'k' ? 0 : at + step]);
}

/** Moves the focus to the next request that failed. */
function goToFailure() {
  const { rows, at } = shownRows();
  const next = rows.slice(at + 1).find((row) => {
    const { outcome } = requestOf(row)?.dataset ?? {};
    return outcome !== undefined && !HARMLESS.includes(outcome);
  });
  focusRow(next);
  if (!next) {
    say(at < 0 ? 'No failed request in this list' : 'No failed request below this one');
  }
}

/** The rows of the page, and the place of the one that has the focus, or whose detail has it; -1 without one. */
function shownRows() {
  const rows = [...document.querySelectorAll('[data-row]')].filter((row) => !row.closest('[hidden]'));
  const current = document.activeElement?.closest('[data-entry]')?.querySelector('[data-row]');
  return { rows, at: rows.indexOf(isRow(document.activeElement) ? document.activeElement : current) };
}

function focusRow(row) {
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
}

/** The element that tells which request a row, or what is within its detail, belongs to; exchanges are none. */
function requestOf(element) {
  return element?.closest('[data-entry][data-outcome]');
}

async function copyLink() {
  const id = requestOf(document.activeElement)?.dataset.entry;
  if (id === undefined) {
    say('Go to a request first, with j or k');
    return;
  }
  try {
    await copyText(new URL(`/dashboard/logs${filterQuery({ id })}`, location.href).href);
    say('Link copied');
  } catch {
    say('Could not copy');
  }
}

function say(text) {
  note.textContent = text;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => note.replaceChildren(), NOTE_MS);
}
