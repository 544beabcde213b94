/** A call of a tool. */
export interface SandboxCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A call in the form that prompts ask for. */
export function renderCall({ name, arguments: values }: SandboxCall): string {
  const parameters = Object.entries(values).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    // The reader takes a line break right behind the tag for layout, and the last one with it; so a value that
    // begins with a line break is laid out itself.
    const laidOut = /^\r?\n/.test(text) ? `\n${text}\n` : text;
    return `<parameter=${key}>${laidOut}</parameter>\n`;
  });
  return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`;
}
