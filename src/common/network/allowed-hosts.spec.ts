import { describe, expect, test } from '@jest/globals';
import { allowedHostsProblem } from './allowed-hosts.js';

describe('allowedHostsProblem', () => {
  test.each([
    '',
    '*',
    'chat.example, Chat.Example:8443 ,',
    '10.0.0.5,10.0.0.5:1',
    '::1,[::1]:80',
    'my_host',
    'chat.example.',
  ])('finds none in %j', (setting) => expect(allowedHostsProblem(setting)).toBe(false));

  test.each([
    'https://chat.example',
    '*.example.com',
    'chat.example/',
    'chat.example:99999',
    '.corp.example',
    'chat..example',
    'two words',
  ])('names %j', (entry) =>
    expect(allowedHostsProblem(`good.example,${entry},x/y`)).toBe(
      'ALLOWED_HOSTS must be a list of hosts like chat.example or chat.example:8443, separated by commas, or *: ' +
        `${entry} is none`,
    ),
  );
});
