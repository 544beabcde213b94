/** Rows of cells as CSV (RFC 4180) under a head line. Absent cells are empty. */
export function toCsv(
  head: readonly string[],
  rows: readonly (readonly (string | number | boolean | undefined)[])[],
): string {
  return [head, ...rows].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

/** Spreadsheets run a text that begins like a formula: a quote before it makes it a text. */
function cell(value: string | number | boolean | undefined): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
