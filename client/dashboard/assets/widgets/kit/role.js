import { inTab } from '../../data/key/key-store.js';

/** The role of the last key that was used in this tab, so that pages need not be drawn anew once it is known. */
const ROLE = 'gateway-role';

/** Whether the page is shown to a caller. Only what is drawn depends on it: what may be read is for the gateway to say. */
export function isCaller() {
  return document.body.dataset.role === 'caller';
}

/** Takes over the role of the key in use, or that of before. Styles hide from callers what is `for-operators`. @param {string} [role] */
export function takeRole(role = inTab((storage) => storage.getItem(ROLE)) ?? 'operator') {
  inTab((storage) => storage.setItem(ROLE, role));
  document.body.dataset.role = role;
}
