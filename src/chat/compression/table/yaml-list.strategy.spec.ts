import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { yamlListStrategy } from './yaml-list.strategy.js';

function condense(lines: readonly string[]): string | undefined {
  return yamlListStrategy.condense(lines.join('\n'), strategyContext());
}

const item = (number: number): string[] => [
  '- kind: Pod',
  '  metadata:',
  `    name: web-${number}`,
  '  spec:',
  '    containers:',
  `    - image: nginx:${number === 9 ? 'edge' : '1.27'}`,
  '      args:',
  '      - --quiet',
];

const list = (items: readonly string[]): string[] => ['apiVersion: v1', 'items:', ...items, 'kind: List'];

describe('yamlListStrategy', () => {
  it('shows the first, the last and the unusual items, and counts all', () => {
    const brief = (number: number): string[] => item(number).slice(0, -2);
    expect(condense(list(range(1, 20).flatMap(item)))?.split('\n')).toEqual([
      'apiVersion: v1',
      'items:',
      ...item(1),
      ...[2, 3].flatMap(brief),
      '[… 5 rows omitted]',
      ...brief(9),
      '[… 9 rows omitted]',
      ...[19, 20].flatMap(brief),
      '[20 rows in all; spec.containers.image: nginx:1.27 19, nginx:edge 1; in all rows, and shown in the first only, kind: Pod, spec.containers.args: --quiet; distinct values metadata.name 20]',
      'kind: List',
    ]);
  });

  it.each([
    ['a list that may be settings', ['pods:', ...range(1, 20).flatMap(item)]],
    ['a few items', list(range(1, 5).flatMap(item))],
    [
      'items of other fields each',
      list(range(1, 20).flatMap((number) => ['- kind: A', `  a${number}: 1`, `  b${number}: 2`])),
    ],
    ['a long list among other things', list([...item(1), ...range(1, 90).map((number) => `x${number}: 1`)])],
  ])('leaves %s alone', (_name, lines) => {
    expect(condense(lines)).toBeUndefined();
  });
});
