/**
 * Chooses a value of a select, also one that is not among its choices.
 *
 * @param {HTMLSelectElement} select
 * @param {string} value
 */
export function choose(select, value) {
  if (![...select.options].some((option) => option.value === value)) {
    select.add(new Option(value, value));
  }
  select.value = value;
}
