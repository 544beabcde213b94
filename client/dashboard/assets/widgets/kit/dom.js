/**
 * Makes an element. Children that are strings become text, never markup; `null`, `undefined` and `false` are left out.
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

/** What of a list of children is there, as `append` takes it. */
export function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== undefined && child !== null && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/** Puts new children in the place of the old ones. */
export function fill(parent, ...children) {
  parent.replaceChildren(...nodes(children));
  return parent;
}

/** The element with this id, which the page must have. */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) {
    throw new Error(`The page has no #${id}.`);
  }
  return element;
}

/**
 * Makes a parent show a list, keeping the elements of items that stay: what did not change is not touched, so that
 * nothing flickers and focus, selection and folds remain.
 *
 * @template T
 * @param {HTMLElement} parent
 * @param {readonly T[]} items
 * @param {{ key: (item: T) => string, create: (item: T) => HTMLElement,
 *   update?: (element: HTMLElement, item: T) => void }} view `update` is called for an item that is another object
 *   than before
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

/** What each parent shows: by key, the element and the item it was made of. */
const shown = new WeakMap();
