/** Text that a model may write instead of a bare value. */
export interface ModelText {
  readonly name: string;
  /** @returns undefined where the value gives no occasion for it */
  write(value: unknown): string | undefined;
}

/** Texts in which the value is there, with nothing missing. */
export const IN_REACH: readonly ModelText[] = [
  { name: 'compact', write: (value) => JSON.stringify(value) },
  { name: 'indented', write: (value) => JSON.stringify(value, null, 2) },
  { name: 'in a fence', write: (value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`` },
  { name: 'in a fence without a label', write: (value) => `\`\`\`\n${JSON.stringify(value)}\n\`\`\`\n` },
  {
    name: 'in prose',
    write: (value) => `Sure! Here is what you asked for:\n\n${JSON.stringify(value)}\n\nAnything else?`,
  },
  {
    name: 'in prose and a fence',
    write: (value) =>
      `Of course (see below).\n\n\`\`\`json\n${JSON.stringify(value, null, 4)}\n\`\`\`\nDone.`,
  },
  {
    name: 'without the commas between lines',
    write: (value) => JSON.stringify(value, null, 2).replaceAll(/([}\]\w"]),\n/g, '$1\n'),
  },
  {
    name: 'with trailing commas',
    write: (value) => JSON.stringify(value, null, 2).replaceAll(/([}\]\w"])\n(\s*[}\]])/g, '$1,\n$2'),
  },
  { name: 'with the literals of Python', write: withPythonLiterals },
  { name: 'with numbers as texts', write: (value) => JSON.stringify(value, numbersAsTexts) },
];

/** Texts that lack something, so that the model has to be asked again. */
export const OUT_OF_REACH: readonly ModelText[] = [
  {
    name: 'cut off',
    write: (value) => {
      const whole = JSON.stringify(value);
      return whole.slice(0, Math.ceil(whole.length * 0.6));
    },
  },
  { name: 'no JSON', write: () => 'The answer depends on what you mean by that.' },
  { name: 'without its first member', write: withoutFirst },
  { name: 'nothing', write: () => '' },
];

function withPythonLiterals(value: unknown): string {
  const names = new Map<unknown, string>([
    [true, 'True'],
    [false, 'False'],
    [null, 'None'],
  ]);
  if (Array.isArray(value)) {
    return `[${value.map(withPythonLiterals).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, each]) => `${JSON.stringify(key)}: ${withPythonLiterals(each)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return names.get(value) ?? JSON.stringify(value);
}

function numbersAsTexts(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

function withoutFirst(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return undefined;
  }
  return JSON.stringify(Object.fromEntries(Object.entries(value).slice(1)));
}
