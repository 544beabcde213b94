const KEY = 'gateway-key';

/** Dispatches `change` whenever the key to send is another one, also if another tab kept or forgot it. */
export const keyChanges = new EventTarget();

/** The key of a page whose browser stores nothing for it. @type {string | null} */
let unstored = null;
/** The key of which `keyChanges` told last. */
let told = storedKey();

/** The key to send: that of this tab, or else the one kept in this browser; null without one. */
export function storedKey() {
  return inTab((storage) => storage.getItem(KEY)) ?? inBrowser((storage) => storage.getItem(KEY)) ?? unstored;
}

export function hasKey() {
  return storedKey() !== null;
}

/** Whether the key is kept for all tabs of this browser, until it is forgotten. */
export function isKeyKept() {
  return inBrowser((storage) => storage.getItem(KEY)) !== null;
}

/**
 * @param {string} key sent from now on; empty for none, in any tab if the last one was kept
 * @param {boolean} [isKept] whether it is kept in this browser; by default as the last one was
 */
export function useKey(key, isKept = isKeyKept()) {
  const store = (storage) => storage.setItem(KEY, key);
  inTab((storage) => storage.removeItem(KEY));
  inBrowser((storage) => storage.removeItem(KEY));
  const isStored = key === '' || (isKept && inBrowser(store) !== null) || inTab(store) !== null;
  unstored = isStored ? null : key;
  tell();
}

function tell() {
  told = storedKey();
  keyChanges.dispatchEvent(new Event('change'));
}

/** Calls with the storage of this tab; null where a browser does not give it. */
export function inTab(use) {
  return withStorage(() => use(sessionStorage));
}

/** Calls with the storage of all tabs; null where a browser does not give it. */
function inBrowser(use) {
  return withStorage(() => use(localStorage));
}

/** Where pages may store nothing, even to name a storage throws. */
function withStorage(use) {
  try {
    return use();
  } catch {
    return null;
  }
}

window.addEventListener('storage', ({ key, storageArea }) => {
  if (storageArea === localStorage && (key === KEY || key === null)) {
    tell();
  }
});

// A page that the browser has kept as it was, for whoever goes back to it, has heard of no change meanwhile.
window.addEventListener('pageshow', () => {
  if (storedKey() !== told) {
    tell();
  }
});
