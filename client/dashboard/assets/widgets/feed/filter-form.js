import { getJson } from '../../data/api.js';
import { filterQuery, readFilters } from '../../data/filters.js';
import { duration } from '../../data/format.js';
import { TIME_SPANS } from '../../data/time-spans.js';
import { choose } from '../kit/choose.js';

/** Choices of the least duration in milliseconds. */
const DURATIONS = [1000, 5000, 10_000, 30_000, 60_000, 300_000];
/** Debounce of typing in a text filter. */
const TYPING_MS = 250;

/**
 * Keeps a form of filters and the query of the page's URL in step.
 *
 * @param {HTMLFormElement} form
 * @param {(filters: Record<string, string>) => void} onChange called with the new filters
 * @returns {Record<string, string>} the filters at present
 */
export function bindFilters(form, onChange) {
  const names = filterNames(form);
  let typing;
  const read = () =>
    readFilters(
      new URLSearchParams(names.map((name) => [name, valueOf(form.elements[name])])).toString(),
      names,
    );
  const apply = () => {
    clearTimeout(typing);
    const filters = read();
    const others = Object.fromEntries(
      [...new URLSearchParams(location.search)].filter(([name]) => !names.includes(name)),
    );
    history.replaceState(null, '', location.pathname + filterQuery(others, filters));
    onChange(filters);
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    apply();
  });
  form.addEventListener('input', (event) => {
    clearTimeout(typing);
    typing = setTimeout(apply, event.target.matches('select') ? 0 : TYPING_MS);
  });
  form.addEventListener('reset', () => setTimeout(apply));
  const filters = readFilters(location.search, names);
  for (const [name, value] of Object.entries(filters)) {
    const control = form.elements[name];
    setValue(control, value);
  }
  return filters;
}

/** Names of the filters of a form, or of a part of it. @param {HTMLElement} part */
export function filterNames(part) {
  return [...new Set([...part.querySelectorAll('[name]')].map(({ name }) => name))];
}

/** Unfolds a part of a form if one of its filters is in the URL. @param {HTMLDetailsElement} part */
export function unfoldIfUsed(part) {
  part.open = Object.keys(readFilters(location.search, filterNames(part))).length > 0;
}

/** Sets the choices of spans and durations. @param {{ time: HTMLSelectElement, min_ms: HTMLSelectElement }} selects */
export function offerTimes({ time, min_ms: leastMs }) {
  setChoices(
    time,
    'Any time',
    Object.entries(TIME_SPANS).map(([value, text]) => [text, value]),
  );
  setChoices(
    leastMs,
    'Any duration',
    DURATIONS.map((ms) => [duration(ms), String(ms)]),
  );
}

/** Value of a control; a local time as Unix milliseconds, so that a link means the same everywhere. */
function valueOf(control) {
  if (control.type !== 'datetime-local' || control.value === '') {
    return control.value;
  }
  const set = exactTimes.get(control);
  if (set?.text === control.value) {
    return set.at;
  }
  return String(new Date(control.value).getTime());
}

function setValue(control, value) {
  if (control.matches('select')) {
    choose(control, value);
  } else if (control.type !== 'datetime-local') {
    control.value = value;
  } else if (/^\d{1,15}$/.test(value)) {
    const at = new Date(Number(value));
    control.value = new Date(Number(value) - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
    exactTimes.set(control, { at: value, text: control.value });
  }
}

/** By control: the time of a link, and its text. A text has no milliseconds, and is two times in the hour that a clock repeats. */
const exactTimes = new WeakMap();

/**
 * Replaces the choices of a select and keeps the chosen value, even if it is not among them.
 *
 * @param {HTMLSelectElement} select
 * @param {string} all label of the empty choice
 * @param {readonly (string | readonly [text: string, value: string])[]} choices
 */
export function setChoices(select, all, choices) {
  const { value } = select;
  const options = choices.map(
    (choice) => new Option(...(typeof choice === 'string' ? [choice, choice] : choice)),
  );
  select.replaceChildren(new Option(all, ''), ...options);
  choose(select, value);
}

/** Loads the nodes as choices, where there is more than one, or a link names one. @param {HTMLSelectElement} select */
export async function offerNodes(select) {
  const { nodes = [] } = await getJson('/dashboard/api/nodes').catch(() => ({}));
  const names = nodes.flatMap(({ logName }) => logName ?? []);
  setChoices(select, 'All nodes', [...new Set(names)]);
  select.closest('label').hidden = names.length < 2 && select.value === '';
}

/** Loads models, accounts and keys as choices. The filters work without them, so failures are ignored. */
export async function offerKnown({ model, account, key }) {
  const [models, accounts, keys] = await Promise.allSettled([
    model && getJson('/dashboard/api/models'),
    account && getJson('/dashboard/api/accounts'),
    key && getJson('/dashboard/api/keys'),
  ]);
  if (model && models.status === 'fulfilled') {
    setChoices(model, 'All models', models.value.models);
  }
  if (account && accounts.status === 'fulfilled') {
    setChoices(
      account,
      'All accounts',
      accounts.value.accounts.map(({ name }) => name),
    );
  }
  if (key && keys.status === 'fulfilled') {
    const made = keys.value.keys.map(({ name }) => name);
    setChoices(key, 'All keys', [...keys.value.configured, ...made]);
  }
}
