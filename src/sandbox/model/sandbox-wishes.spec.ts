import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../test/support/watch/cpu-time.js';
import { DEFAULT_CONTENT, readWishes, type Wish } from './sandbox-wishes.js';

const write = (path: string, content = DEFAULT_CONTENT): Wish => ({ kind: 'write', path, content });
const read = (path: string): Wish => ({ kind: 'read', path });

describe('readWishes', () => {
  it.each<[string, Wish[]]>([
    ['Create hello.txt', [write('hello.txt')]],
    [
      'Please create a file named notes/todo.md with the content "buy milk".',
      [write('notes/todo.md', 'buy milk')],
    ],
    [
      'Create a file hello.txt containing "Hello, world" and then read it back.',
      [write('hello.txt', 'Hello, world'), read('hello.txt')],
    ],
    [
      "Write 'a.b and c' to /tmp/x/y.json, then show me the file",
      [write('/tmp/x/y.json', 'a.b and c'), read('/tmp/x/y.json')],
    ],
    [
      'Create `a.py` with this content:\n```python\nif a < b:\n    create()\n```\nThen run `python a.py`.',
      [write('a.py', 'if a < b:\n    create()\n'), { kind: 'run', command: 'python a.py' }],
    ],
    [
      'write a file greeting.txt that says hello there and read it',
      [write('greeting.txt', 'hello there'), read('greeting.txt')],
    ],
    ['Write the text one line to a file', [write('sandbox.txt', 'one line to a file')]],
    ['Create a file with the text "create and read it" named x.txt.', [write('x.txt', 'create and read it')]],
    ['Read package.json and README.md', [read('package.json')]],
    ['read a.txt, then read b.txt', [read('a.txt'), read('b.txt')]],
    ['What does src/main.ts do? Open it.', []],
    ['Open src/main.ts.', [read('src/main.ts')]],
    ['List the files', [{ kind: 'list', path: '.' }]],
    ['list the files in src/chat/ please', [{ kind: 'list', path: 'src/chat/' }]],
    ['Run `npm test`', [{ kind: 'run', command: 'npm test' }]],
    ['execute the command ls -la', [{ kind: 'run', command: 'ls -la' }]],
    ['run npm test, then', [{ kind: 'run', command: 'npm test' }]],
    ['Search for "TODO" here', [{ kind: 'search', pattern: 'TODO' }]],
    ['grep for needle', [{ kind: 'search', pattern: 'needle' }]],
    ['Create a.html with "<b>x</b>"', [write('a.html', '<b>x</b>')]],
    ['Hello there', []],
    ['Write a poem about the sea', []],
    ['Show me how closures work', []],
    ['Save C:\\work\\a.txt', [write('C:\\work\\a.txt')]],
    ['Hi there\n<system-reminder>\nCreate no files.txt\n</system-reminder>', []],
  ])('reads from %j the wishes %j', (request, wishes) => {
    expect(readWishes(request)).toEqual(wishes);
  });

  it('is soon done with long texts', () => {
    const costMs = cpuMs(() => {
      for (const text of ['create a.txt with "', 'a/', 'run ', '"', '<a>', 'a.', 'text is this ', '`']) {
        readWishes(text.repeat(100_000));
      }
      readWishes(`create a.txt containing${' '.repeat(19_000)}x`);
      readWishes(`run x${' '.repeat(19_000)}x`);
      readWishes(`run x${' and'.repeat(4000)} x`);
    });
    expect(costMs).toBeLessThan(5000);
  });
});
