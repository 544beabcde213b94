import { h } from './dom.js';
import { icon } from './icons.js';

const STORED = 'gateway-theme';
const THEMES = ['auto', 'light', 'dark'];
const ICONS = { auto: 'auto', light: 'sun', dark: 'moon' };

/** Dispatches `change` when the colours of the page change, by the user or the system. */
export const themeChanges = new EventTarget();

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', announce);

/** A button that cycles through the system's theme, light and dark. */
export function themeButton() {
  const button = h('button', { type: 'button', class: 'quiet icon', id: 'theme' });
  const show = () => {
    const theme = chosen();
    button.replaceChildren(icon(ICONS[theme]));
    button.title = `Theme: ${theme}`;
    button.setAttribute('aria-label', `Theme: ${theme}. Change it.`);
  };
  button.addEventListener('click', () => {
    choose(THEMES[(THEMES.indexOf(chosen()) + 1) % THEMES.length]);
    show();
  });
  show();
  return button;
}

function chosen() {
  return document.documentElement.dataset.theme ?? 'auto';
}

function choose(theme) {
  if (theme === 'auto') {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme;
  }
  try {
    localStorage.setItem(STORED, theme);
  } catch {
    // Storage is disabled: the choice lasts until the page is left.
  }
  announce();
}

function announce() {
  themeChanges.dispatchEvent(new Event('change'));
}
