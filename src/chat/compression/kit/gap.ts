/** Says at its place how much is missing: `[… 12 rows omitted]`. A unit is given as its plural. */
export function gap(count: number, units: string): string {
  return `[… ${quantity(count, units)} omitted]`;
}

/** `1 row`, `2 rows`, `1 entry`, `3 matches`; the last word carries the number. */
export function quantity(count: number, units: string): string {
  return `${count} ${count === 1 ? singular(units) : units}`;
}

function singular(units: string): string {
  if (units.endsWith('ies')) {
    return `${units.slice(0, -3)}y`;
  }
  return units.endsWith('ches') || units.endsWith('shes') ? units.slice(0, -2) : units.slice(0, -1);
}

/**
 * Puts kept items in a row with a counted gap wherever some are missing.
 * @param kept indexes to keep, ascending
 */
export function withGaps(
  total: number,
  kept: readonly number[],
  render: (index: number) => string,
  units: string,
): string[] {
  const lines: string[] = [];
  let next = 0;
  for (const index of kept) {
    if (index > next) {
      lines.push(gap(index - next, units));
    }
    lines.push(render(index));
    next = index + 1;
  }
  if (next < total) {
    lines.push(gap(total - next, units));
  }
  return lines;
}

/** A long line or value, cut in the middle with a counted gap; a character is never cut in half. */
export function shorten(text: string, limit: number, tail = 0): string {
  if (text.length <= limit + 40) {
    return text;
  }
  const head = wholeCharacters(text.slice(0, limit - tail));
  const end = tail > 0 ? text.slice(-tail).replace(/^[\uDC00-\uDFFF]/, '') : '';
  return `${head}${gap(text.length - head.length - end.length, 'characters')}${end}`;
}

function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
