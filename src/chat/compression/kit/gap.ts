/**
 * Marker of a gap: `[… 12 rows omitted]`.
 * @param units plural of the unit
 */
export function gap(count: number, units: string): string {
  return `[… ${quantity(count, units)} omitted]`;
}

/**
 * A number with its unit: `1 row`, `2 rows`, `1 entry`, `3 matches`.
 * @param units plural of the unit; its last word is put into the singular
 */
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
 * Renders the kept items, with a counted gap wherever items are missing.
 * @param kept indexes of the items to keep, ascending
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

/**
 * Cuts the middle out of a long line or value and counts it; never splits a surrogate pair.
 * @param limit characters to keep; texts up to 40 characters longer stay whole, since the gap takes as many
 * @param tail characters of `limit` that are kept from the end
 */
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
