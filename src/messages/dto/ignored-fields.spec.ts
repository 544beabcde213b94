import { describe, expect, it } from '@jest/globals';
import { ignoredFields } from './ignored-fields.js';

const source = { type: 'text', media_type: 'text/plain', data: 'Grass is green.' };
const document = { type: 'document', source, citations: { enabled: true } };
const says = (content: unknown): object => ({ messages: [{ role: 'user', content }] });

describe('ignoredFields', () => {
  it.each<[object, readonly string[]]>([
    [{ container: 'container_1' }, ['container']],
    [{ container: null, context_management: null }, []],
    [{ context_management: { edits: [] } }, []],
    [{ context_management: { edits: [{ type: 'compact_20260112' }] } }, ['context_management']],
    [{ context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } }, []],
    [says([document, { type: 'text', text: 'What?' }]), ['citations']],
    [says([{ ...document, citations: { enabled: false } }]), []],
    [says([{ type: 'tool_result', tool_use_id: 't', content: [document] }]), ['citations']],
    [says('citations'), []],
    [{ messages: 'x' }, []],
    [{ messages: [null, { role: 'user' }] }, []],
    [{ context_management: { edits: [{ type: { toString: 1 } }, null] } }, ['context_management']],
  ])('names those of %j', (body, names) => {
    expect(ignoredFields(body)).toEqual(names);
  });

  it('looks no deeper than the format nests', () => {
    const levels = 20_000;
    const content: unknown = JSON.parse(`${'[{"content":'.repeat(levels)}""${'}]'.repeat(levels)}`);
    expect(ignoredFields(says(content))).toEqual([]);
  });
});
