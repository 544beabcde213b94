import { send } from '../../data/api.js';
import { plural } from '../../data/format.js';
import { textDifference } from '../answer/text-difference.js';
import { fill, h } from '../kit/dom.js';

/** Settings that may be others than those that were in force, with their values and labels. */
const CHANGES = {
  ECHO_ACTION: ['Echo guard', { auto: 'auto', drop: 'drop', regenerate: 'regenerate', off: 'off' }],
  TOOL_COMPRESSION: ['Condensing', { true: 'on', false: 'off' }],
  TOOL_MODE: ['Tools', { native: 'native', emulated: 'emulated' }],
};

/** Runs a request again from what the upstream sent then, and shows what is decided otherwise. */
export class RecordedRun {
  #id;
  #choices = Object.entries(CHANGES).map(([name, [label, values]]) => {
    const options = Object.entries(values).map(([value, text]) => h('option', { value }, text));
    const select = h('select', { name }, h('option', { value: '' }, 'as then'), options);
    return h('label', { class: 'field' }, h('span', null, label), select);
  });
  #button = h('button', { type: 'button', class: 'small' }, 'Run from the recording');
  #place = h('div', { class: 'stack', role: 'status' });
  element = h(
    'details',
    { class: 'recorded-run for-operators', hidden: true },
    h('summary', null, 'Recorded: run it again without the upstream, with these settings or others'),
    h('div', { class: 'filters' }, this.#choices, this.#button),
    this.#place,
  );

  constructor() {
    this.#button.addEventListener('click', () => void this.#run());
  }

  /** @param {Record<string, any>} entry of the request log */
  show({ id, isRecorded = false }) {
    this.#id = id;
    this.element.hidden = !isRecorded;
  }

  async #run() {
    this.#button.disabled = true;
    try {
      const path = `/dashboard/api/requests/${encodeURIComponent(this.#id)}/rerun`;
      const { body } = await send('POST', path, this.#settings());
      fill(this.#place, await verdict(body.differences));
    } catch (error) {
      fill(this.#place, h('p', { class: 'field-error' }, error.message));
    } finally {
      this.#button.disabled = false;
    }
  }

  #settings() {
    const chosen = [...this.element.querySelectorAll('select')].filter(({ value }) => value !== '');
    return Object.fromEntries(
      chosen.map(({ name, value }) => [name, name === 'TOOL_COMPRESSION' ? value === 'true' : value]),
    );
  }
}

async function verdict(differences) {
  if (differences.length === 0) {
    return h('p', null, 'Everything is decided as it was then.');
  }
  const items = await Promise.all(
    differences.map(async ({ path, then, now }) => [
      h('h4', { class: 'mono' }, path),
      await textDifference(asText(then), asText(now)),
    ]),
  );
  return [h('p', null, `${plural(differences.length, 'decision')} would be another today:`), items];
}

function asText(value) {
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
