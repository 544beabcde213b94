/** One program in a command line, with its arguments; redirections are taken out. */
export interface SimpleCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Paths behind `<`, in order. */
  readonly inputs: readonly string[];
}

const SEPARATORS = new Set([';', '|', '&', '\n', '(', ')', '`']);

/** Programs and keywords that run another command given as their arguments, as words or as a text in one of them. */
const WRAPPERS = new Set([
  ...['bash', 'sh', 'zsh', 'dash', 'ash', 'ksh', 'fish', 'pwsh', 'powershell', 'cmd', 'wsl'],
  ...['{', '!', 'do', 'then', 'else', 'if', 'while', 'until', 'eval', 'exec', 'command', 'time', 'script'],
  ...['sudo', 'doas', 'su', 'runuser', 'env', 'nice', 'ionice', 'nohup', 'setsid', 'timeout', 'stdbuf'],
  ...['docker', 'docker-compose', 'podman', 'nerdctl', 'kubectl', 'oc', 'ssh', 'adb', 'vagrant', 'chroot'],
  ...['find', 'fd', 'fdfind', 'xargs', 'parallel', 'watch', 'busybox', 'foreach-object', '%'],
  ...['poetry', 'pipenv', 'pdm', 'hatch', 'uv', 'conda', 'mamba', 'mise', 'direnv', 'nix', 'bundle', 'npx'],
]);

/** First words of a wrapper among which the wrapped command begins. */
const MAX_WRAPPED = 60;

/** Command lines within command lines that are parsed. */
const MAX_DEPTH = 3;

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
    commands.push(...commandsOf(words, depth));
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

function commandsOf(words: readonly string[], depth: number): SimpleCommand[] {
  const { plain, inputs } = withoutRedirections(words);
  // What `"$(cat file)"` prints is within quotes, which the other separators do not split.
  const substituted = words.flatMap((word) => nested(/(?:\$\(|`)(.+)$/s.exec(word)?.[1], depth));
  const start = plain.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_]{0,60}=/.test(word));
  const [first, ...args] = start < 0 ? [] : plain.slice(start);
  if (first === undefined) {
    // A redirection alone is read, as in `$(<file)`.
    return inputs.length > 0 ? [{ program: 'cat', args: [], inputs }] : substituted;
  }
  const command = { program: programName(first), args, inputs };
  // The options of wrappers differ, so the wrapped command may begin at any of the words, or stand within one.
  const wrapped = WRAPPERS.has(command.program)
    ? args
        .slice(0, MAX_WRAPPED)
        .flatMap((word, index) => [
          { program: programName(word), args: args.slice(index + 1), inputs },
          ...nested(/\s/.test(word) ? word : undefined, depth),
        ])
    : [];
  return [command, ...wrapped, ...substituted];
}

function nested(line: string | undefined, depth: number): SimpleCommand[] {
  return line === undefined || depth >= MAX_DEPTH ? [] : parseCommand(line, depth + 1);
}

function withoutRedirections(words: readonly string[]): { plain: string[]; inputs: string[] } {
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
    // `< <(git log)` reads what a command writes.
    if (redirect[1] === '<' && target !== '' && !target.startsWith('<')) {
      inputs.push(target);
    }
  }
  return { plain, inputs };
}

function programName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).toLowerCase();
  return name.endsWith('.exe') ? name.slice(0, -4) : name;
}
