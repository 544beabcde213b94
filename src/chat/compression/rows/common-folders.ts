/** The folders in which all paths are, with the closing slash; empty if there are none. */
export function commonFolders([first = '', ...others]: readonly string[]): string {
  const common = others.reduce((before, name) => {
    let end = 0;
    while (end < before.length && before[end] === name[end]) {
      end++;
    }
    return before.slice(0, end);
  }, first);
  return common.slice(0, common.lastIndexOf('/') + 1);
}
