import { getText } from './api.js';

/** Saves the usage of the last days as a file: a plain link could not send the key. */
export async function saveUsageCsv(days) {
  const text = await getText(`/dashboard/api/usage?days=${days}&format=csv`);
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'usage.csv';
  link.click();
  URL.revokeObjectURL(url);
}
