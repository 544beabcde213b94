import { describe, expect, it } from '@jest/globals';
import { allowedOriginsProblem, parseAllowedOrigins } from './allowed-origins.js';

describe('parseAllowedOrigins', () => {
  it.each([
    ['', []],
    [' https://Chat.Example , http://localhost:3000,', ['https://chat.example', 'http://localhost:3000']],
    ['https://a.example:443,http://a.example:80', ['https://a.example', 'http://a.example']],
    ['app://obsidian.md,capacitor://localhost', ['app://obsidian.md', 'capacitor://localhost']],
  ])('%s', (setting, origins) => {
    expect(allowedOriginsProblem(setting)).toBe(false);
    expect([...parseAllowedOrigins(setting)]).toEqual(origins);
  });
});

describe('allowedOriginsProblem', () => {
  it.each([
    '*',
    'chat.example',
    'https://*.example',
    'https://a.example/',
    'null',
    'https://',
    'https://u@a',
  ])('finds %s wrong', (entry) => {
    expect(allowedOriginsProblem(`https://a.example,${entry}`)).toContain(`: ${entry} is none`);
  });
});
