const BAR = 30;

/**
 * A table of costs by size, with how fast they grow, and a bar of each on a logarithmic scale.
 *
 * @param points `{ size, cost, bare }`, sizes rising: microseconds of the gateway, and of the bare proxy if there is one
 */
export function growthTable(title, unit, points) {
  const costs = points.map(({ cost }) => cost);
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  const scale = Math.log(most / least) || 1;
  const rows = points.map(({ size, cost, bare }, index) => [
    size.toLocaleString('en'),
    cost.toFixed(1),
    bare === undefined ? '–' : (cost / bare).toFixed(2),
    growthOf(points[index - 1], points[index]),
    '█'.repeat(1 + Math.round((BAR * Math.log(cost / least)) / scale)),
  ]);
  const head = [title, unit, 'bare proxy = 1', 'growth', ''];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The exponent between two points: 0 constant, 1 linear, 2 quadratic. */
function growthOf(before, { size, cost }) {
  return before === undefined || before.size === 0
    ? '–'
    : (Math.log(cost / before.cost) / Math.log(size / before.size)).toFixed(2);
}
