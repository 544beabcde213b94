import { send } from '../../data/api.js';
import { h } from '../kit/dom.js';
import { formDialog } from '../kit/form-dialog.js';
import { labelled, pathOf, secretView, select } from './key-form.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Choices for the overlap of the old secret with the new one. */
const OVERLAPS = [
  [0, 'not at all'],
  [HOUR_MS, 'for an hour'],
  [DAY_MS, 'for a day'],
  [7 * DAY_MS, 'for 7 days'],
  [30 * DAY_MS, 'for 30 days'],
].map(([ms, text]) => [String(ms), text]);

const RUNNING = [
  ['end', 'end at once, with an error'],
  ['finish', 'may finish'],
];

/**
 * Asks how long the old secret of a key is still accepted, makes a new one, and shows it.
 *
 * @param {{ name: string }} key
 * @param {string} [path] of the request
 * @param {(secret: string) => string} [onMade] called before it is shown; returns what is said below it
 */
export function askToRotate(key, path = pathOf(key, '/rotate'), onMade = () => undefined) {
  return askHow({
    title: `Rotate ${key.name}?`,
    text: 'The key gets a new secret, which is shown once.',
    action: 'Rotate',
    field: labelled('The old secret is accepted', select('overlapMs', OVERLAPS, String(DAY_MS))),
    submit: async ({ overlapMs }) => {
      const { body } = await send('POST', path, { overlapMs: Number(overlapMs) });
      return secretView(body.name, body.secret, onMade(body.secret));
    },
  });
}

/** Asks what becomes of the answers under way, and revokes a key. */
export function askToRevoke(key) {
  return askHow({
    title: `Revoke ${key.name}?`,
    text: 'It is refused from now on. This cannot be undone.',
    action: 'Revoke',
    isDanger: true,
    field: labelled('Its running answers', select('running', RUNNING)),
    submit: async ({ running }) => {
      await send('POST', pathOf(key, '/revoke'), { running });
    },
  });
}

/** Asks before a key is disabled; a refusal, as of the last operator's, is told below the question. */
export function askToDisable(key) {
  return askHow({
    title: `Disable ${key.name}?`,
    text: 'It is refused until you enable it again. Its running answers finish.',
    action: 'Disable',
    submit: async () => {
      await send('PATCH', pathOf(key), { isEnabled: false });
    },
  });
}

/**
 * A form with one choice at most. That has the focus, and Enter on it shows the choices, else “Cancel”, so that nothing is
 * sent by accident.
 */
function askHow({ title, text, action, isDanger = false, field, submit }) {
  return formDialog({
    id: 'key-form',
    title,
    lead: h('p', null, text),
    action,
    isDanger,
    fields: [field],
    isAbout: ({ name }, param) => name === param,
    submit: (form) => submit(Object.fromEntries(new FormData(form))),
  });
}
