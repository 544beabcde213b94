import { h } from './dom.js';
import { icon } from './icons.js';

const SHOWN_MS = 1500;

/**
 * A button that copies a text.
 *
 * @param {string} label
 * @param {() => string | Promise<string>} text called when the button is pressed
 */
export function copyButton(label, text) {
  // Not the role of a status, from which browsers take no name for the button.
  const caption = h('span', { 'aria-live': 'polite' }, label);
  const button = h('button', { type: 'button', class: 'small' }, icon('copy'), caption);
  let timer;
  button.addEventListener('click', async () => {
    let verdict = 'Copied';
    try {
      await copyText(await text(), button.closest('dialog') ?? document.body);
    } catch {
      verdict = 'Could not copy';
    }
    caption.textContent = verdict;
    clearTimeout(timer);
    timer = setTimeout(() => (caption.textContent = label), SHOWN_MS);
  });
  return button;
}

/**
 * Copies a text, or rejects. Falls back to `execCommand`: the clipboard API is missing on plain HTTP from another machine, and
 * refused by some browsers' settings.
 *
 * @param {string} text
 * @param {HTMLElement} [place] where an element can have the focus: of a page under a dialog none can
 */
export async function copyText(text, place = document.body) {
  const isWritten = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (isWritten !== true) {
    copySelected(text, place);
  }
}

function copySelected(text, place) {
  const area = h('textarea', { value: text, 'aria-hidden': 'true', class: 'unseen' });
  const focused = document.activeElement;
  place.append(area);
  area.select();
  // The command is done also where nothing is selected.
  const isCopied = document.activeElement === area && document.execCommand('copy');
  area.remove();
  focused?.focus();
  if (!isCopied) {
    throw new Error('The browser does not let this page copy.');
  }
}
