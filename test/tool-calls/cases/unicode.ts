import { callOf, type ToolCallCase, writeOf, written } from '../tool-call-case.js';

const CONTENTS: Readonly<Record<string, string>> = {
  emoji: '😀 👨‍👩‍👧‍👦 🇫🇷 ❤️',
  'emoji next to tags': '😀<😀/p😀>😀',
  'other scripts': '日本語 русский العربية हिन्दी 한국어',
  'combining characters': 'e\u0301 n\u0303 \u0915\u094d\u0937',
  'fullwidth brackets and quotes': '＜tool_call＞ ｛“a”：１｝ 「x」 ‘y’',
  'line separators': 'a\u2028b\u2029c\u0085d',
  'characters without width': 'a\u200bb\ufeffc\u00a0d',
  'characters beyond the first plane': '𝒜𝓁𝓁 𠮷 \u{10ffff}',
};

export const unicode: readonly ToolCallCase[] = [
  ...Object.entries(CONTENTS).map(([name, content]) => ({
    name: `${name} in a value`,
    upstream: writeOf(content),
    calls: [written(content)],
  })),
  ...Object.entries(CONTENTS).map(([name, content]) => ({
    name: `${name} in JSON`,
    upstream: `<tool_call>${JSON.stringify({ name: 'write_file', arguments: { path: 'a.txt', content } })}</tool_call>`,
    calls: [written(content)],
  })),
  ...Object.entries(CONTENTS).map(([name, content]) => ({
    name: `${name} in text around a call`,
    upstream: `${content}\n${callOf('ping')}\n${content}`,
    text: `${content}\n${content}`,
    calls: [['ping', '{}'] as const],
  })),
  {
    name: 'escaped halves of pairs',
    upstream:
      '<tool_call>{"name":"get_weather","arguments":{"city":"\\ud83d\\ude00 \\ud83d x \\ude00"}}</tool_call>',
    calls: [['get_weather', '{"city":"\\ud83d\\ude00 \\ud83d x \\ude00"}']],
  },
];
