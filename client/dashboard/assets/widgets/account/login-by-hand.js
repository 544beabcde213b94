import { HandOver } from '../../data/hand-over/hand-over.js';
import { fill, h } from '../kit/dom.js';
import { opened } from '../kit/form-dialog.js';
import { livePage } from './live-page.js';

/** Outcomes of a login by hand, in words. */
const OUTCOMES = {
  logged_in: 'Logged in. The login is kept, and the account is in use again.',
  idle: 'Ended: nothing was done for five minutes.',
  changed: 'Ended: the account was changed meanwhile.',
  stopped: 'Ended: the gateway stops.',
  failed: 'It did not work.',
};

/**
 * Opens the live view of a page on which the operator logs an account in, until it is logged in or closed.
 *
 * @param {{ id: string, name: string }} account
 */
export function logInByHand({ id, name }) {
  const status = h(
    'p',
    { role: 'status', class: 'quiet' },
    'The gateway opens the site and logs in as far as it can …',
  );
  const close = h('button', { type: 'button' }, 'Cancel');
  const body = h('div', { class: 'stack' });
  const dialog = h(
    'dialog',
    { class: 'wide', id: 'hand-over', 'aria-labelledby': 'hand-over-title' },
    h('h2', { id: 'hand-over-title' }, `Log in ${name} by hand`),
    h('div', { class: 'stack' }, status, body),
    h('div', { class: 'dialog-foot' }, close),
  );
  const handOver = new HandOver(id, (event) => {
    if (event.type === 'frame') {
      view.show(event);
    } else if (event.type === 'handed_over') {
      status.textContent =
        'It is yours: click and type in the page. It ends by itself once the site shows the login.';
      view.enable();
    } else if (event.type === 'lost') {
      status.textContent = `The last input did not reach the page: ${event.message}`;
    }
  });
  const view = livePage((input) => handOver.act(input));
  fill(body, view.elements);
  close.addEventListener('click', () => dialog.close());
  // Escape belongs to the page while the view has the focus.
  dialog.addEventListener('cancel', (event) => view.hasFocus() && event.preventDefault());
  dialog.addEventListener('close', () => handOver.leave());
  void follow(handOver, { status, body, close, dialog });
  return opened(dialog);
}

async function follow(handOver, { status, body, close, dialog }) {
  try {
    const { outcome, message } = await handOver.run();
    status.textContent = [OUTCOMES[outcome] ?? outcome, message].filter(Boolean).join(' ');
  } catch (error) {
    if (!dialog.open) {
      return;
    }
    status.textContent = error.message;
  }
  status.className = '';
  body.remove();
  close.textContent = 'Close';
  close.className = 'primary';
  close.focus();
}
