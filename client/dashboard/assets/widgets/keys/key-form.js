import { getJson, send } from '../../data/api.js';
import { utcDay } from '../../data/format.js';
import { LIMIT_LABELS } from '../../data/key-limits.js';
import { copyButton } from '../kit/copy.js';
import { h, tell } from '../kit/dom.js';
import { DONE, formDialog } from '../kit/form-dialog.js';

const DAY_MS = 86_400_000;

/** Opens the form for a new key; its secret is shown in the same dialog. Resolves when that is closed. */
export function askForNewKey() {
  const name = h('input', { name: 'name', required: true, maxlength: '63', autocomplete: 'off' });
  return openForm({
    title: 'Make a key',
    action: 'Make the key',
    fields: [
      labelled('Name, as it appears in the log', name),
      labelled('Role', select('role', ['caller', 'operator'])),
      ...propertyFields(),
    ],
    submit: (form) => send('POST', '/dashboard/api/keys', valuesOf(form)),
  });
}

/** Opens the form for the limits of a key. */
export function askForLimits(key) {
  const fields = propertyFields(key);
  const before = new Map(
    fields.map((field) => field.querySelector('input, select')).map(({ name, value }) => [name, value]),
  );
  return openForm({
    title: `Limits of ${key.name}`,
    action: 'Save',
    fields,
    // The rest stays as it is, also where somebody else has changed it meanwhile.
    submit: (form) => send('PATCH', pathOf(key), changesIn(form, before)),
  });
}

export function pathOf({ name }, action = '') {
  return `/dashboard/api/keys/${encodeURIComponent(name)}${action}`;
}

/** Shows a secret, once, in the dialog of a form. @param {string} [note] */
export function secretView(
  name,
  secret,
  note = `With it, ${name} sees set-ups of clients, limits, usage and own requests at ${location.origin}/dashboard.`,
) {
  const done = h('button', { type: 'button', class: 'primary' }, 'Done');
  done.addEventListener('click', () => done.closest('dialog').close(DONE));
  return h(
    'div',
    { class: 'stack' },
    h('h2', { id: 'key-form-title' }, `Key of ${name}`),
    h('p', null, 'Copy it now: it is kept as a digest only and cannot be shown again.'),
    h('code', { class: 'secret', id: 'new-secret' }, secret),
    h('p', { class: 'quiet' }, note),
    h(
      'div',
      { class: 'dialog-foot' },
      copyButton('Copy with address', () => setUpOf(secret)),
      copyButton('Copy', () => secret),
      done,
    ),
  );
}

/** What whoever gets a key needs, in the variables that most clients read. */
function setUpOf(secret) {
  const { origin } = location;
  return [
    `# Set-ups of Claude Code and others, limits, usage: ${origin}/dashboard`,
    `OPENAI_BASE_URL=${origin}/v1`,
    `OPENAI_API_KEY=${secret}`,
    `ANTHROPIC_BASE_URL=${origin}`,
    `ANTHROPIC_API_KEY=${secret}`,
    `GOOGLE_GEMINI_BASE_URL=${origin}`,
    `GEMINI_API_KEY=${secret}`,
    '',
  ].join('\n');
}

function openForm({ title, action, fields, submit }) {
  return formDialog({
    id: 'key-form',
    title,
    action,
    fields: [h('div', { class: 'key-form-fields' }, fields)],
    isAbout: ({ name }, param) => name === param,
    submit: async (form) => {
      const { body } = await submit(form);
      return body.secret ? secretView(body.name, body.secret) : undefined;
    },
  });
}

function propertyFields(key = {}) {
  return [
    ...LIMIT_LABELS.map(([name, text]) =>
      labelled(
        text,
        h('input', { name, type: 'number', min: '1', placeholder: 'no limit', value: key[name] ?? '' }),
      ),
    ),
    modelsField(key.models ?? []),
    labelled('Priority', select('priority', ['interactive', 'batch'], key.priority)),
    labelled(
      'Expires on (UTC)',
      h('input', {
        name: 'expiresAt',
        type: 'date',
        value: key.expiresAt ? utcDay(key.expiresAt) : '',
      }),
    ),
  ];
}

/** Tells of models that there are not at present: they are taken, since an upstream may offer them later. */
function modelsField(models) {
  const input = h('input', { name: 'models', placeholder: 'all', value: models.join(', ') });
  const note = h('p', { class: 'quiet', role: 'status' });
  input.addEventListener('change', async () => {
    const { models: known = [] } = await getJson('/dashboard/api/models').catch(() => ({}));
    const missing = modelsIn(input.value).filter((id) => !known.includes(id));
    tell(note, known.length > 0 && missing.length > 0 ? `Not offered at present: ${missing.join(', ')}` : '');
  });
  return h('div', null, labelled('Models, separated by commas', input), note);
}

function modelsIn(text) {
  return text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

/** @param {ReadonlyMap<string, string>} before values of the fields as they were shown */
function changesIn(form, before) {
  const changed = Object.entries(valuesOf(form)).filter(
    ([name]) => form.elements[name].value !== before.get(name),
  );
  return Object.fromEntries(changed);
}

function valuesOf(form) {
  const values = Object.fromEntries(new FormData(form));
  const models = modelsIn(String(values.models));
  return {
    ...values,
    ...Object.fromEntries(
      LIMIT_LABELS.map(([name]) => [name, values[name] === '' ? null : Number(values[name])]),
    ),
    models: models.length === 0 ? null : models,
    // With the end of the day: a key that expires today serves until then.
    expiresAt: values.expiresAt === '' ? null : Date.parse(String(values.expiresAt)) + DAY_MS - 1,
  };
}

/** @param {readonly (string | readonly [value: string, text: string])[]} choices */
export function select(name, choices, value = '') {
  return h(
    'select',
    { name },
    choices
      .map((choice) => (typeof choice === 'string' ? [choice, choice] : choice))
      .map(([own, text]) => h('option', { value: own, selected: own === value }, text)),
  );
}

export function labelled(text, input) {
  return h('label', { class: 'field' }, h('span', null, text), input);
}
