import { resolve } from 'node:path';
import { root } from './lib/processes.mjs';
import { measureStructure } from './lib/structure.mjs';

/*
 * `npm run structure [-- <folder>]`: files a folder, folders that import each other, names that are exported twice,
 * size and longest functions; of this checkout, or of another one to compare with.
 */
const found = measureStructure(resolve(process.argv[2] ?? root));
console.log(`src: ${found.lines} lines in ${found.files} files, without specs`);
list(
  'folders with the most files, specs included',
  found.folders.slice(0, 5),
  ([folder, files]) => `${files}  ${folder}`,
);
list('sibling folders that import each other', found.siblingCycles, (pair) => pair.join(' ⇄ '));
list('names exported twice in src', found.doubleExports, ([name, files]) => `${name}: ${files.join(', ')}`);
list(
  'longest functions of src, in lines',
  found.functions.slice(0, 5),
  ([lines, place]) => `${lines}  ${place}`,
);
console.log(`functions over 40 lines: ${found.functions.filter(([lines]) => lines > 40).length}`);

function list(title, entries, show) {
  console.log(`\n${title}: ${entries.length === 0 ? 'none' : ''}`);
  entries.forEach((entry) => console.log(`  ${show(entry)}`));
}
