import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

/** Much code that becomes hot. Prints the peak of what the engine takes beside its heap, in bytes. */
const COMPILE = `
  import { getHeapStatistics } from 'node:v8';
  const functions = Array.from({ length: 800 }, (_, index) => new Function('items', \`
    let sum = 0;
    for (const { a, b } of items) sum += a === \${index} ? b : a * \${index};
    return items.map((item) => item.a + sum).filter((value) => value > \${index}).length;\`));
  const items = [{ a: 1, b: 2 }, { a: 3, b: 4 }];
  for (let calls = 0; calls < 600; calls++) functions.forEach((work) => work(items));
  console.log(getHeapStatistics().peak_malloced_memory);`;

/** Much that lives for a while. Prints the peak of the heap in bytes. */
const PROMOTE = `
  const recent = Array(300).fill([]);
  let peak = 0;
  for (let turn = 0; turn < 2500; turn++) {
    recent[turn % recent.length] = Array.from({ length: 5000 }, (_, index) => ({ turn, index }));
    peak = Math.max(peak, process.memoryUsage().heapTotal);
  }
  console.log(peak);`;

describe('limitEngineMemory', () => {
  it('keeps small what the compilers have used, while code becomes hot', () => {
    expect(printed(COMPILE)).toBeGreaterThan(3 * printed(COMPILE, { isLimited: true }));
  });

  it('has the heap collected before it has grown far', () => {
    expect(printed(PROMOTE)).toBeGreaterThan(1.5 * printed(PROMOTE, { isLimited: true }));
  });
});

/** The number that a script prints, in a process of its own on a large machine. */
function printed(script: string, { isLimited = false } = {}): number {
  const module = new URL('./engine-memory.ts', import.meta.url).href;
  const limit = `import { limitEngineMemory } from '${module}'; limitEngineMemory();`;
  const flags = ['--max-old-space-size=4096', '--max-semi-space-size=16', '--input-type=module'];
  return Number(execFileSync(process.execPath, [...flags, '-e', (isLimited ? limit : '') + script]));
}
