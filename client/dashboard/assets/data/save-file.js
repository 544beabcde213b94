import { getText } from './api.js';

/** Saves what a path answers as a file: a plain link could not send the key. */
export async function saveFile(path, name, type = 'text/csv') {
  const text = await getText(path);
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
