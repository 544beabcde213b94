import { count, duration, exact, NONE } from '../../data/format.js';

/** What is done, in words; the words of the log stand for an action that is missing here. */
const ACTIONS = {
  'key.create': 'made a key',
  'key.update': 'changed a key',
  'key.rotate': 'rotated a key',
  'key.revoke': 'revoked a key',
  'account.add': 'added an account',
  'account.update': 'changed an account',
  'account.remove': 'removed an account',
  'account.enable': 'enabled an account',
  'account.disable': 'disabled an account',
  'account.login': 'logged an account in again',
  'account.test': 'tested an account',
  'account.clear_cooldown': 'ended a cooldown',
  'account.hand_over': 'began a login by hand',
  'account.hand_over_end': 'ended a login by hand',
  'settings.change': 'changed settings',
  'texts.keep': 'had full texts kept',
};

/** @param {string} action e.g. `key.create` */
export function actionText(action) {
  return ACTIONS[action] ?? action;
}

/** The properties that say something, e.g. `requests per minute: 60, enabled: no`. Settings keep their names. */
export function changeText(properties) {
  const told = Object.entries(properties ?? {}).filter(([, value]) => value !== null);
  return told.map(([name, value]) => `${nameText(name)}: ${valueText(name, value)}`).join(', ') || NONE;
}

function nameText(name) {
  return /^[a-z]/.test(name)
    ? name
        .replace(/^is(?=[A-Z])|(?:Ms|At)$/g, '')
        .replace(/[A-Z]/g, (letter, at) => `${at > 0 ? ' ' : ''}${letter.toLowerCase()}`)
    : name;
}

function valueText(name, value) {
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  if (typeof value === 'number') {
    return name.endsWith('Ms') ? duration(value) : name.endsWith('At') ? exact(value) : count(value);
  }
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    return value.join(' ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
