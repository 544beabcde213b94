import { describe, expect, it } from '@jest/globals';
import {
  asksForList,
  asksForRecords,
  asksForSearch,
  asksForSelection,
  asksForWork,
  asksPlainly,
} from './list-request.js';

describe('asksForList', () => {
  it.each([
    'List all files in src',
    'Which files mention the pool?',
    'find every usage of AbortSignal and list the places',
    'Find everything that could contain the bug with expired answers.',
    'Suche alles, was mit Rabatten zu tun hat',
    'Where is parseConfig used?',
    'What directories are there?',
    'Look for the specs.',
    'Are there any fixtures yet?',
    'Do we have tests for the pool?',
    "What's in this folder?",
    'What changed in the last commit?',
    'Welche Dateien gibt es?',
    'Gibt es schon Tests?',
    '¿Hay pruebas del pool?',
    'Quels fichiers sont concernés ?',
    '列出所有文件',
    'どのファイルですか',
  ])('finds a request in: %s', (message) => {
    expect(asksForList(message)).toBe(true);
  });

  it.each([
    'What does the project do?',
    'Fix the failing test',
    'Is there a spec for the pool?',
    'Explain this.',
    'Run the server',
    'The search is slow',
    'Why does git fail?',
    'git is broken, fix the merge.',
    'Which errors cause the crash? Fix them.',
  ])('finds none in: %s', (message) => {
    expect(asksForList(message)).toBe(false);
  });
});

describe('asksForSelection', () => {
  it.each(['Only the warnings and errors please.', 'Show only the failed jobs', 'Nur die Fehler bitte'])(
    'finds a request in: %s',
    (message) => {
      expect(asksForSelection(message)).toBe(true);
    },
  );

  it.each(['Show the errors', 'It only fails on Mondays'])('finds none in: %s', (message) => {
    expect(asksForSelection(message)).toBe(false);
  });
});

describe('asksForWork', () => {
  it.each([
    ['Where is it used? Explain it.', true],
    ['Where is it used?', false],
    ['Wo wird es benutzt?', false],
    ['Liste alle Fehler und behebe sie', true],
  ])('of %s: %s', (message, expected) => {
    expect(asksForWork(message)).toBe(expected);
  });
});

describe('asksForRecords', () => {
  it.each([
    'List the last 20 commits.',
    'Give me the commits of today.',
    'What was committed recently?',
    'Which pods are running?',
    'Could you tell me which pods are running?',
    'List all users.',
    'Show me all open issues, please.',
    'Find all TODOs.',
    'What are the type errors?',
    'Which environment variables are set?',
    'Which time zones are there?',
    'List all zones.',
    'Sort the commits by author.',
    "Give me this week's commits.",
    'Enumerate all keys',
    'Who are the users?',
    'Welche Pakete sind installiert?',
    'Welche Commits gab es zuletzt?',
    '¿Qué commits hay?',
    'Quelles branches existent ?',
    'Quali servizi esistono?',
    'Only the warnings please',
    'git log please',
    'run git log --oneline -20',
    'Please run `kubectl get pods`.',
    'Run tsc.',
  ])('finds a request in: %s', (message) => {
    expect(asksForRecords(message)).toBe(true);
  });

  it.each([
    '',
    'Why do all tests fail? Fix the errors.',
    'npm test fails, fix it',
    'Which errors cause the crash? Fix them.',
    'Which dependencies are outdated? Update them.',
    'git is broken, fix the merge.',
    'git is slow',
    'git log is empty',
    'run npm test',
    'Run git log, then tell me who wrote the pool.',
    'Give me a summary of the settings.',
    'Show me the settings and explain them.',
    'What do the settings mean?',
    'What is wrong with the settings?',
    'What happens if there are errors?',
    'Find errors in the log.',
    'List users is empty.',
    'To list the users it calls the server',
    'We list all users there.',
    'Are there any errors?',
    'List all of it.',
    'List all problems and fix them.',
    'Is there anything wrong with it?',
    'Which of these is slow?',
    'Do not list the users.',
    'Welche Fehler gibt es? Behebe sie.',
    `List all users. ${'It is a long story. '.repeat(100)}`,
  ])('finds none in: %s', (message) => {
    expect(asksForRecords(message)).toBe(false);
  });
});

describe('asksPlainly', () => {
  it.each([
    "What's open on the board?",
    'Who is on call this week?',
    'Which boards use it',
    'Welche Server laufen?',
  ])('finds a question in: %s', (message) => {
    expect(asksPlainly(message)).toBe(true);
  });

  it.each([
    '',
    'Open the board.',
    'Who is on call most?',
    'Which user has id 300?',
    'What is the port of web-3?',
    'What do you think?',
    'Which ticket is the oldest?',
    'What should I do first?',
    'What is broken?',
    'What is open? Close it.',
    'Welche Ausgaben könnten wir senken?',
    '¿Qué pruebas no pasan?',
  ])('finds none in: %s', (message) => {
    expect(asksPlainly(message)).toBe(false);
  });
});

describe('asksForSearch', () => {
  it.each([
    ['Please find me talks on queues', true],
    ['Search the web for talks on queues', true],
    ['Find the best talk on queues', false],
    ['Find talks on queues. Which is the shortest?', false],
    ['Find the bug', false],
  ])('of %s: %s', (message, expected) => {
    expect(asksForSearch(message)).toBe(expected);
  });
});
