import { h } from '../kit/dom.js';

/** Keys that are passed on; Tab is not among them, since it must lead out of the view. */
const KEYS = new Set([
  ...['Enter', 'Backspace', 'Delete', 'Escape', 'Home', 'End', 'PageUp', 'PageDown'],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'],
]);

/** Keys for whoever has none, or would leave the view by it. */
const KEY_BUTTONS = [
  ['Next field', 'Tab'],
  ['Enter', 'Enter'],
  ['Erase', 'Backspace'],
  ['Scroll up', 'PageUp'],
  ['Scroll down', 'PageDown'],
];

/**
 * The live view of a page elsewhere: shows its pictures, and reports what the person does in it.
 *
 * @param {(input: object) => void} act called with each input
 */
export function livePage(act) {
  const picture = h('img', { alt: '', draggable: 'false' });
  const view = h(
    'div',
    {
      class: 'live-page',
      tabindex: '0',
      role: 'application',
      'aria-label': 'Page of the site. Keystrokes go to the page; Tab leaves it.',
    },
    picture,
  );
  const text = h('input', { type: 'text', id: 'hand-over-text', autocomplete: 'off', spellcheck: 'false' });
  const form = h(
    'form',
    { class: 'live-tools' },
    h('label', { class: 'field' }, h('span', null, 'Type into the page'), text),
    h('button', { type: 'submit', class: 'small' }, 'Send text'),
    KEY_BUTTONS.map(([label, key]) => keyButton(label, key, act)),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (text.value !== '') {
      act({ type: 'text', text: text.value });
      text.value = '';
    }
  });
  const fields = h('fieldset', { class: 'plain', disabled: true }, form);
  const size = { width: 0, height: 0 };
  let isEnabled = false;
  const report = (input) => isEnabled && size.width > 0 && act(input);
  followMouse(view, picture, size, report);
  followKeys(view, report);
  return {
    elements: [view, fields],
    hasFocus: () => document.activeElement === view,
    show: ({ picture: jpeg, width, height }) => {
      Object.assign(size, { width, height });
      picture.src = `data:image/jpeg;base64,${jpeg}`;
    },
    enable: () => {
      isEnabled = true;
      fields.disabled = false;
      view.focus();
    },
  };
}

function keyButton(label, key, act) {
  const button = h('button', { type: 'button', class: 'small' }, label);
  button.addEventListener('click', () => act({ type: 'key', key, shift: false }));
  return button;
}

function followMouse(view, picture, size, report) {
  const place = (event) => {
    const shown = picture.getBoundingClientRect();
    return {
      x: Math.round(((event.clientX - shown.left) * size.width) / shown.width),
      y: Math.round(((event.clientY - shown.top) * size.height) / shown.height),
    };
  };
  const point = (type) => (event) => {
    report({ type, ...place(event), buttons: event.buttons & 7, clicks: Math.min(event.detail, 3) });
  };
  view.addEventListener('pointermove', (event) =>
    report({ type: 'move', ...place(event), buttons: event.buttons & 7, clicks: 0 }),
  );
  view.addEventListener('mousedown', point('down'));
  view.addEventListener('mouseup', point('up'));
  view.addEventListener('contextmenu', (event) => event.preventDefault());
  view.addEventListener('wheel', (event) => {
    event.preventDefault();
    report({ type: 'wheel', ...place(event), deltaX: event.deltaX, deltaY: event.deltaY });
  });
}

function followKeys(view, report) {
  view.addEventListener('keydown', (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event;
    // AltGr makes characters, though it shows as Ctrl and Alt on some systems.
    const isShortcut = (ctrlKey || metaKey || altKey) && !event.getModifierState('AltGraph');
    if (isComposing || isShortcut) {
      return;
    }
    if (KEYS.has(key)) {
      report({ type: 'key', key, shift: shiftKey });
    } else if ([...key].length === 1) {
      report({ type: 'text', text: key });
    } else {
      return;
    }
    // The dashboard's own shortcuts must not see it.
    event.stopPropagation();
    event.preventDefault();
  });
  view.addEventListener('paste', (event) => {
    const pasted = event.clipboardData?.getData('text') ?? '';
    if (pasted !== '') {
      event.preventDefault();
      report({ type: 'text', text: pasted.slice(0, 10_000) });
    }
  });
}
