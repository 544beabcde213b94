/** One program in a command line, with its arguments; redirections are taken out. */
export interface SimpleCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Paths behind `<`, in order. */
  readonly inputs: readonly string[];
}

const SEPARATORS = new Set([';', '|', '&', '\n', '(', ')', '{', '}', '`']);

/** Programs and keywords that run another command given as their arguments. */
const WRAPPERS = new Set([
  ...['sudo', 'env', 'time', 'timeout', 'nice', 'nohup', 'command', 'stdbuf', 'exec', 'watch', 'busybox'],
  ...['docker', 'podman', 'kubectl', 'ssh', 'wsl', 'find', 'xargs', 'do', 'then', 'else'],
]);
const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'fish', 'pwsh', 'powershell', 'cmd']);

/** Longest command line that is parsed, in characters: longer scripts are not typed to read a file. */
const MAX_COMMAND_CHARS = 20_000;

/**
 * Splits a command line into the programs that it runs. An approximation that suffices for telling which files are
 * read; expansions, functions and here-strings are not interpreted.
 */
export function parseCommand(line: string, depth = 0): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  const end = (): void => {
    commands.push(...unwrap(words, depth));
    words = [];
  };
  for (const word of splitWords(withoutHeredocs(line.slice(0, MAX_COMMAND_CHARS)))) {
    if (word === undefined) {
      end();
    } else {
      words.push(word);
    }
  }
  end();
  return commands;
}

/** Words of a command line without their quotes, with `undefined` at the end of each command. */
function splitWords(line: string): (string | undefined)[] {
  const words: (string | undefined)[] = [];
  let word: string | undefined;
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    if (char === "'" || char === '"') {
      const close = closingQuote(line, i, char);
      word = (word ?? '') + line.slice(i + 1, close);
      i = close;
    } else if (char === '\\') {
      i++;
      word = line.charAt(i) === '\n' ? word : (word ?? '') + line.charAt(i);
    } else if (char === ' ' || char === '\t' || char === '\r' || SEPARATORS.has(char)) {
      // In `2>&1` the ampersand belongs to a redirection and ends no command.
      if (char === '&' && word?.endsWith('>')) {
        word += char;
        continue;
      }
      if (word !== undefined) {
        words.push(word);
        word = undefined;
      }
      if (SEPARATORS.has(char)) {
        words.push(undefined);
      }
    } else {
      word = (word ?? '') + char;
    }
  }
  if (word !== undefined) {
    words.push(word);
  }
  return words;
}

function closingQuote(line: string, open: number, quote: string): number {
  for (let i = open + 1; i < line.length; i++) {
    if (line[i] === quote) {
      return i;
    }
    if (quote === '"' && line[i] === '\\') {
      i++;
    }
  }
  return line.length;
}

/** Drops here-documents: the lines between `<<WORD` and `WORD` are input of a program and not commands. */
function withoutHeredocs(line: string): string {
  if (!line.includes('<<')) {
    return line;
  }
  const kept: string[] = [];
  let until: string | undefined;
  for (const part of line.split('\n')) {
    if (until !== undefined) {
      until = part.trim() === until ? undefined : until;
      continue;
    }
    kept.push(part);
    until = /<<-?[ ]?["']?([A-Za-z_]{1,40})/.exec(part)?.[1];
  }
  return kept.join('\n');
}

function unwrap(words: readonly string[], depth: number): SimpleCommand[] {
  const plain: string[] = [];
  const inputs: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const redirect = /^[0-9&]?(<{1,3}|>{1,2})/.exec(word);
    if (!redirect) {
      plain.push(word);
      continue;
    }
    const target = word.length > redirect[0].length ? word.slice(redirect[0].length) : (words[++i] ?? '');
    if (redirect[1] === '<') {
      inputs.push(target);
    }
  }
  while (plain[0] !== undefined && /^[A-Za-z_][A-Za-z0-9_]{0,60}=/.test(plain[0])) {
    plain.shift();
  }
  const [first, ...args] = plain;
  if (first === undefined) {
    return [];
  }
  const program = programName(first);
  if (SHELLS.has(program) && depth < 3) {
    const script = args.find((_, index) => /^[-/][a-z]{0,8}c(ommand)?$/i.test(args[index - 1] ?? ''));
    return script === undefined ? [{ program, args, inputs }] : parseCommand(script, depth + 1);
  }
  const command = { program, args, inputs };
  if (!WRAPPERS.has(program) || depth >= 3) {
    return [command];
  }
  // The options of wrappers differ, so the wrapped command may begin at any of the words.
  return [command, ...args.flatMap((_, index) => unwrap(args.slice(index), 3))];
}

function programName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).toLowerCase();
  return name.endsWith('.exe') ? name.slice(0, -4) : name;
}
