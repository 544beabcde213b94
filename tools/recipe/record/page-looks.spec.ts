import { describe, expect, it } from '@jest/globals';
import { type PageLook } from './page/look-at-page.js';
import { PageLooks } from './page-looks.js';

const look = (text: string, marks: string[], answer: string | null = null): PageLook => ({
  text,
  marks,
  answer,
});

describe('PageLooks', () => {
  it('tells what is new since the last input, and what shows only while a site answers', () => {
    const looks = new PageLooks();
    looks.add(look('Log in', ['.loading-page']));
    looks.input();
    looks.add(look('Chats\n Bot', ['.loading-image', '.send']));
    looks.input();
    looks.add(look('Chats\nBot\nHel', ['.loading-image', '.stop', '.is-streaming', '.flash'], '.md'));
    looks.add(look('Chats\nBot\nHello', ['.is-streaming', '.answer'], '.md'));
    looks.add(look('Chats\nBot\nHello.', ['.send', '.answer'], '.md'));
    expect(looks.newText).toBe('Hello.');
    expect(looks.place).toEqual({ answer: '.md', busy: '.is-streaming' });
  });

  it('names nothing where nothing was told', () => {
    expect(new PageLooks().place).toEqual({});
  });
});
