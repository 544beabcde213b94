import { describe, expect, it } from '@jest/globals';
import { findKeys } from '../../assets/data/key/find-keys.js';

const key = (name, more) => ({
  name,
  role: 'caller',
  state: 'active',
  models: null,
  secrets: [],
  ...more,
});
const KEYS = [
  key('team-b', { state: 'revoked', models: ['svc-max', 'svc-plus'] }),
  key('nightly', { role: 'operator', secrets: [{ prefix: 'gwk_old0000' }, { prefix: 'gwk_new0000' }] }),
  key('Team-A', { secrets: [{ prefix: 'gwk_Ab12Cd3' }] }),
];

describe('findKeys', () => {
  it.each([
    ['', ['nightly', 'Team-A', 'team-b']],
    [' team ', ['Team-A', 'team-b']],
    ['team revoked', ['team-b']],
    ['SVC-PLUS', ['team-b']],
    ['operator', ['nightly']],
    ['gwk_ab12', ['Team-A']],
    ['gwk_new0000andTheRestOfTheSecret', ['nightly']],
    ['gwk_otherSecret', []],
  ])('finds by "%s"', (text, names) => {
    expect(findKeys(KEYS, text).map(({ name }) => name)).toEqual(names);
  });
});
