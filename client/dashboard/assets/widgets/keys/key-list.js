import { findKeys } from '../../data/key/find-keys.js';
import { byId } from '../kit/dom.js';
import { FirstRows } from '../kit/first-rows.js';
import { redrawTable } from '../kit/redraw.js';
import { emptyState } from '../shell/shell.js';
import { keyTable } from './key-table.js';

/** Below so many keys, they are seen without being searched for. */
const MANY = 10;

/** The keys of the page, or its only one: the first of many with those made meanwhile, and a field to find others by. */
export class KeyList {
  #onlyName;
  #refresh;
  #first = new FirstRows(() => this.#draw());
  /** The list and the tokens that were used today, as read last. */
  #read;
  /** Names of the keys that were there when the page was opened. */
  #before;

  /**
   * @param {string | undefined} onlyName of the only key that is shown
   * @param {() => unknown} refresh called after a change
   */
  constructor(onlyName, refresh) {
    this.#onlyName = onlyName;
    this.#refresh = refresh;
    byId('find').addEventListener('input', () => this.#draw());
  }

  /**
   * @param {{ keys: readonly any[], configured: readonly string[], isDivided: boolean }} list of `/dashboard/api/keys`
   * @param {ReadonlyMap<string, number>} usedToday tokens by key
   */
  show(list, usedToday) {
    this.#read = { list, usedToday };
    this.#before ??= new Set(list.keys.map(({ name }) => name));
    byId('find-key').hidden = this.#onlyName !== undefined || list.keys.length < MANY;
    this.#draw();
  }

  #draw() {
    if (this.#read) {
      redrawTable(byId('list'), this.#content(this.#read), nearby);
    }
  }

  #content({ list, usedToday }) {
    const { keys, configured } = this.#chosen(list);
    if (keys.length + configured.length === 0 && list.keys.length + list.configured.length > 0) {
      return this.#onlyName === undefined
        ? emptyState(
            'No key is found',
            'Names, roles, states, models and the beginnings of keys are searched.',
          )
        : emptyState('There is no such key', 'Its usage is shown for as long as it is kept.');
    }
    const first = this.#first.of(keys);
    const made = keys.slice(first.length).filter(({ name }) => !this.#before.has(name));
    const shown = { ...list, configured, keys: [...first, ...made] };
    return [keyTable(shown, usedToday, this.#refresh), this.#first.rest(keys)];
  }

  #chosen({ keys, configured }) {
    if (this.#onlyName !== undefined) {
      return {
        keys: keys.filter(({ name }) => name === this.#onlyName),
        configured: configured.filter((name) => name === this.#onlyName),
      };
    }
    const text = byId('find').value;
    return { keys: findKeys(keys, text), configured: text.trim() === '' ? configured : [] };
  }
}

/** The control near an action's button that is gone, or that says the opposite once the action is done. */
function nearby({ dataset: { name } }) {
  const near = name === undefined ? null : document.querySelector(`[data-name="${CSS.escape(name)}"]`);
  return near ?? byId('add');
}
