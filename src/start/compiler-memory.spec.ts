import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

describe('freeCompilerMemory', () => {
  it('keeps small what the compilers have used, while code becomes hot', () => {
    expect(peakBytes(false)).toBeGreaterThan(3 * peakBytes(true));
  });
});

/** Peak of what the engine takes beside its heap, in a process of its own with much code that becomes hot. */
function peakBytes(isFreed: boolean): number {
  const script = `
    import { getHeapStatistics } from 'node:v8';
    ${isFreed ? freeing() : ''}
    const functions = Array.from({ length: 800 }, (_, index) => new Function('items', \`
      let sum = 0;
      for (const { a, b } of items) sum += a === \${index} ? b : a * \${index};
      return items.map((item) => item.a + sum).filter((value) => value > \${index}).length;\`));
    const items = [{ a: 1, b: 2 }, { a: 3, b: 4 }];
    for (let calls = 0; calls < 600; calls++) functions.forEach((work) => work(items));
    console.log(getHeapStatistics().peak_malloced_memory);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script]));
}

function freeing(): string {
  const module = new URL('./compiler-memory.ts', import.meta.url).href;
  return `import { freeCompilerMemory } from '${module}'; freeCompilerMemory();`;
}
