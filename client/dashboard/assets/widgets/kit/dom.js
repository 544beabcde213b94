/**
 * Creates an element. Strings become text nodes, never markup; `null`, `undefined` and `false` are skipped.
 *
 * @param {string} tag
 * @param {Record<string, unknown> | null} [props] `class`, `dataset`, `onclick` and the like; anything else is set as
 *   an attribute, `true` as an empty one
 * @param {...unknown} children
 * @returns {any}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) {
      continue;
    }
    if (name === 'class') {
      element.className = String(value);
    } else if (name === 'dataset') {
      Object.assign(element.dataset, value);
    } else if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name === 'value' || name === 'checked') {
      element[name] = value;
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(...nodes(children));
  return element;
}

/** Nested children as a flat list for `append`, without the empty ones. */
export function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== undefined && child !== null && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/** Replaces all children. */
export function fill(parent, ...children) {
  parent.replaceChildren(...nodes(children));
  return parent;
}

/** Changes the text of a live region, unless it is the same: that would be read out again. */
export function tell(region, text) {
  if (region.textContent !== text) {
    region.textContent = text;
  }
}

/** The element with this id; throws if there is none. */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) {
    throw new Error(`The page has no #${id}.`);
  }
  return element;
}

/**
 * Reconciles the children of a parent with a list by key. Elements of unchanged items are not touched, so that focus,
 * selection and folds are kept.
 *
 * @template T
 * @param {HTMLElement} parent
 * @param {readonly T[]} items
 * @param {{ key: (item: T) => string, create: (item: T) => HTMLElement,
 *   update?: (element: HTMLElement, item: T) => void }} view `update` is called when the item of a key is
 *   another object
 */
export function syncList(parent, items, { key, create, update }) {
  const before = shown.get(parent) ?? new Map();
  const after = new Map();
  let place = parent.firstElementChild;
  for (const item of items) {
    const id = key(item);
    const old = before.get(id);
    const element = old?.element ?? create(item);
    if (old && old.item !== item) {
      update?.(element, item);
    }
    after.set(id, { element, item });
    before.delete(id);
    if (element === place) {
      place = place.nextElementSibling;
    } else {
      parent.insertBefore(element, place);
    }
  }
  for (const { element } of before.values()) {
    element.remove();
  }
  shown.set(parent, after);
}

/** By parent: element and item by key. */
const shown = new WeakMap();
