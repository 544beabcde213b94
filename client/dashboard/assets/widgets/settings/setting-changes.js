import { getJson } from '../../data/api.js';
import { NONE } from '../../data/format.js';
import { toFieldText, valueText } from '../../data/setting-values.js';
import { fill, h } from '../kit/dom.js';
import { UNNAMED } from '../kit/labels.js';
import { redraw } from '../kit/redraw.js';
import { table } from '../kit/table.js';
import { timeListed } from '../kit/ticker.js';
import { emptyState } from '../shell/shell.js';

/** Actions of operators among which changes are looked for, the most that the gateway gives at once. */
const LOOKED_THROUGH = 500;
const SHOWN = 20;

/** What was changed of the settings latest, by whom, and the way back. It is read once it is unfolded. */
export class SettingChanges {
  #place = h('div', { class: 'stack' });
  #putBack;
  /** Settings as they are, by name. @type {Map<string, any>} */
  #settings = new Map();
  element = h('details', { class: 'panel' }, h('summary', null, 'Latest changes'), this.#place);

  /** @param {(name: string, value: unknown) => void} putBack takes a former value; null for the default */
  constructor(putBack) {
    this.#putBack = putBack;
    this.element.addEventListener('toggle', () => void this.#read());
  }

  /** @param {readonly any[]} settings as they are from now on */
  show(settings) {
    this.#settings = new Map(settings.map((setting) => [setting.name, setting]));
    void this.#read();
  }

  async #read() {
    if (!this.element.open) {
      return;
    }
    try {
      const { actions } = await getJson(`/dashboard/api/audit?limit=${LOOKED_THROUGH}`);
      const rows = actions.filter(({ action }) => action === 'settings.change').flatMap(changesOf);
      redraw(this.#place, this.#table(rows.slice(0, SHOWN)));
    } catch (error) {
      fill(this.#place, h('p', { class: 'field-error', role: 'alert' }, error.message));
    }
  }

  #table(changes) {
    return changes.length === 0
      ? emptyState('No change is listed', 'Changes made in the file itself are not.')
      : table({
          label: 'Table of changes',
          isStacked: true,
          head: ['When', 'Who', 'Setting', 'Before', 'After', 'Back'],
          rows: changes.map((change) => this.#row(change)),
        });
  }

  #row({ at, actor, name, before, after }) {
    const setting = this.#settings.get(name);
    const text = (value) => (setting ? valueText(setting, value) : String(value ?? NONE));
    return h(
      'tr',
      null,
      h('td', null, timeListed(at)),
      h('td', null, actor ?? UNNAMED.key),
      h('td', null, h('span', { class: 'mono' }, name)),
      h('td', { class: 'change' }, text(before)),
      h('td', { class: 'change' }, text(after)),
      h('td', null, canPutBack(setting, before) && this.#button(setting, before, text(before))),
    );
  }

  #button({ name, default: fallback }, before, text) {
    return h(
      'button',
      {
        type: 'button',
        class: 'small',
        'aria-label': `Put back ${name} to ${text}`,
        onclick: () => this.#putBack(name, before === fallback ? null : before),
      },
      'Put back',
    );
  }
}

/** A row for each setting that an action changed. */
function changesOf({ at, actor, before, after }) {
  const names = Object.keys({ ...before, ...after });
  return names.map((name) => ({
    at,
    actor,
    name,
    before: before?.[name] ?? null,
    after: after?.[name] ?? null,
  }));
}

/** The values of secrets are kept nowhere. */
function canPutBack(setting, before) {
  return (
    setting !== undefined &&
    !setting.secret &&
    !setting.readOnly &&
    toFieldText(setting.kind, setting.value) !== toFieldText(setting.kind, before)
  );
}
