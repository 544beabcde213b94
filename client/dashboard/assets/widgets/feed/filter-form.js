import { getJson } from '../../data/api.js';
import { filterQuery, readFilters } from '../../data/filters.js';

const TYPING_MS = 250;

/**
 * Ties a form of filters to the address of the page.
 *
 * @param {HTMLFormElement} form
 * @param {(filters: Record<string, string>) => void} onChange
 */
export function bindFilters(form, onChange) {
  const names = [...new Set([...form.elements].map(({ name }) => name).filter((name) => name))];
  let typing;
  const read = () => readFilters(new URLSearchParams(new FormData(form)).toString(), names);
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
    if (control.matches('select') && ![...control.options].some((option) => option.value === value)) {
      control.add(new Option(value, value));
    }
    control.value = value;
  }
  return filters;
}

/**
 * Gives a select its choices and keeps what is chosen, even if it is not among them.
 *
 * @param {HTMLSelectElement} select
 * @param {string} all what it says when nothing is chosen
 * @param {readonly (string | readonly [text: string, value: string])[]} choices
 */
export function setChoices(select, all, choices) {
  const { value } = select;
  const options = choices.map(
    (choice) => new Option(...(typeof choice === 'string' ? [choice, choice] : choice)),
  );
  select.replaceChildren(new Option(all, ''), ...options);
  if (value !== '' && !options.some((option) => option.value === value)) {
    select.add(new Option(value, value));
  }
  select.value = value;
}

/** Fills in what models and accounts there are; without them the filters still work. */
export async function offerKnown({ model, account }) {
  const [models, accounts] = await Promise.allSettled([
    model && getJson('/dashboard/api/models'),
    account && getJson('/dashboard/api/accounts'),
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
}
