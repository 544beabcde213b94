import { type Clause } from './clauses.js';
import { WORDS } from './request-words.js';

/** Commands that print a list; people ask for it by writing them. */
const LIST_COMMANDS = [
  ...['git log', 'git branch', 'git tag', 'git status', 'git ls-files', 'gh pr list', 'gh issue list'],
  ...['kubectl get', 'docker ps', 'docker images', 'podman ps', 'helm list', 'terraform state list'],
  ...['npm ls', 'npm outdated', 'pip list', 'systemctl list-units', 'ls', 'ps', 'env', 'printenv'],
  ...['grep', 'rg', 'tsc', 'npx tsc'],
].map((command) => command.split(' '));

/** Commands that print something else as well. */
const PRINT_COMMANDS = [
  ...LIST_COMMANDS,
  ...[
    ...['git diff', 'git show', 'git blame', 'git stash list', 'git remote', 'git config'],
    ...['kubectl describe', 'kubectl logs', 'docker logs', 'docker inspect', 'docker stats', 'npm view'],
    ...[
      'terraform show',
      'systemctl status',
      'df',
      'du',
      'free',
      'uptime',
      'uname',
      'lsof',
      'lsblk',
      'netstat',
    ],
    ...['ifconfig', 'stat', 'head', 'tail', 'cat', 'curl', 'dir', 'tree', 'find'],
  ].map((command) => command.split(' ')),
];

const RUN = new Set(['run', 'execute', 'exec']);
const MAX_ARGUMENTS = 4;

/** An option, a path, a pattern or a name with digits or signs, as commands have behind them. */
const ARGUMENT = /[^\p{L}]/u;

/** `git log please`, `run kubectl get pods`; not "git log is empty". */
export function isListCommand({ words }: Clause): boolean {
  const command = commandOf(words);
  return (
    knownStart(LIST_COMMANDS, command) !== undefined &&
    !command.some((word) => WORDS.questions.has(word) || WORDS.negations.has(word))
  );
}

/** A clause that is nothing but a command that prints something: `git diff HEAD~2`, `df -h`. */
export function isPrintCommand({ words }: Clause): boolean {
  const command = commandOf(words);
  const known = knownStart(PRINT_COMMANDS, command);
  const args = command.slice(known?.length);
  const saysMore = [WORDS.tasks, WORDS.stops, WORDS.negations].some((role) =>
    args.some((word) => role.has(word)),
  );
  // A single word may begin a sentence: "env variables are lost".
  return (
    known !== undefined &&
    !saysMore &&
    args.length <= MAX_ARGUMENTS &&
    (known.length > 1 || args.every((word) => ARGUMENT.test(word)))
  );
}

function commandOf(words: readonly string[]): readonly string[] {
  const said = words.filter((word) => !WORDS.leads.has(word));
  const before = [WORDS.texts, WORDS.wholes, WORDS.definite];
  const at = said.findIndex((word) => !before.some((role) => role.has(word)));
  // "The output of df -h".
  const isOutput = at > 0 && said[at] === 'of';
  return isOutput || RUN.has(said[0] ?? '') ? said.slice(isOutput ? at + 1 : 1) : said;
}

function knownStart(
  commands: readonly (readonly string[])[],
  words: readonly string[],
): readonly string[] | undefined {
  return commands.find((command) => command.every((word, at) => words[at] === word));
}
