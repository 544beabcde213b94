const KEY = 'gateway-key';

/** Dispatches `change` whenever the key to send is another one, also if another tab kept or forgot it. */
export const keyChanges = new EventTarget();

/** The key to send: that of this tab, or else the one kept in this browser; null without one. */
export function storedKey() {
  return sessionStorage.getItem(KEY) ?? inBrowser((storage) => storage.getItem(KEY));
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
  sessionStorage.removeItem(KEY);
  inBrowser((storage) => storage.removeItem(KEY));
  if (key !== '' && (!isKept || inBrowser((storage) => storage.setItem(KEY, key)) === null)) {
    sessionStorage.setItem(KEY, key);
  }
  tell();
}

function tell() {
  keyChanges.dispatchEvent(new Event('change'));
}

/** Calls with the storage of all tabs; null where a browser does not give it. */
function inBrowser(use) {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}

window.addEventListener('storage', ({ key, storageArea }) => {
  if (storageArea === localStorage && (key === KEY || key === null)) {
    tell();
  }
});
