/** Pages of older entries that are looked through for the one that was unfolded. */
const MAX_PAGES = 10;

/** Remembers which entry is unfolded in the history of the browser, for whoever reloads the page or comes back to it. */
export function rememberToggle({ open, dataset }) {
  const { entry: id, at } = dataset;
  if (open) {
    history.replaceState({ unfolded: { id, startedAt: Number(at) } }, '');
  } else if (unfoldedEntry()?.id === id) {
    history.replaceState(null, '');
  }
}

/** The entry that was unfolded when the page was left. @returns {{ id: string, startedAt: number } | undefined} */
export function unfoldedEntry() {
  return history.state?.unfolded;
}

/**
 * Unfolds an entry again and scrolls to it; further pages are loaded until the list has it.
 *
 * @param {HTMLElement} rows the list
 * @param {import('../../data/feed/record-feed.js').RecordFeed} feed of the list
 * @param {{ id: string, startedAt: number }} entry
 */
export async function reopen(rows, feed, { id, startedAt }) {
  const find = () => rows.querySelector(`[data-entry="${CSS.escape(id)}"]`);
  const mayCome = () => feed.hasMore && feed.records.at(-1)?.startedAt >= startedAt;
  for (let page = 0; page < MAX_PAGES && !find() && mayCome(); page++) {
    await feed.older();
  }
  const details = find();
  if (details) {
    details.open = true;
    details.closest('li').hidden = false;
    details.scrollIntoView({ block: 'center' });
  }
}
