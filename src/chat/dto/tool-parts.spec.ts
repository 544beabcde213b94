import { expect, it } from '@jest/globals';
import { withoutToolParts } from './tool-parts.js';

it('reads what results of the Messages format show', () => {
  const base64 = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
  const others = [
    { type: 'text', text: 'a' },
    { type: 'image', source: { type: 'file', file_id: 'f' } },
    { type: 'image_url', image_url: { url: 'data:x' } },
    'odd',
  ];
  const content = [
    { type: 'image', source: base64 },
    { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
    { type: 'document', title: 'c.pdf', source: { ...base64, media_type: 'application/pdf' } },
    ...others,
  ];
  const message = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content }] };
  expect(withoutToolParts(message, () => 'messages[0].content')).toEqual([
    {
      role: 'tool',
      tool_call_id: 'call_1',
      content: [
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
        { type: 'file', file: { filename: 'c.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
        ...others,
      ],
    },
  ]);
});
