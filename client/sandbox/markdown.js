/**
 * Formats an answer as many chat sites do: fences become code blocks, `**bold**` and `code` lose their marks, and
 * tags outside code disappear.
 */
export function formatted(source) {
  const fragment = document.createDocumentFragment();
  source.split(/^```.*\n?/m).forEach((part, index) => {
    if (index % 2 === 1) {
      const block = document.createElement('pre');
      block.append(marked('code', part.replace(/\n$/, '')));
      fragment.append(block);
    } else {
      fragment.append(...inline(part.replace(/<\/?[a-z_][^<>]*>/gi, '').trim()));
    }
  });
  return fragment;
}

function inline(text) {
  return text.split(/(\*\*[^*\n]+\*\*|`[^`\n]+`)/).map((part, index) => {
    if (index % 2 === 0) {
      return part;
    }
    return part.startsWith('`') ? marked('code', part.slice(1, -1)) : marked('strong', part.slice(2, -2));
  });
}

function marked(name, text) {
  const node = document.createElement(name);
  node.textContent = text;
  return node;
}
