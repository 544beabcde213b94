import { levels, type LogFn, type Logger } from 'pino';

/** What speaks while Nest starts. */
const NEST_START: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
]);

/** Of its own start Nest tells fifty lines at `info` that are of no use to an operator: they become `debug`. */
export function demoteNestStart(this: Logger, line: Parameters<LogFn>, write: LogFn, level: number): void {
  const { context } = line[0] as { readonly context?: unknown };
  if (level === levels.values.info && NEST_START.has(context)) {
    this.debug(...line);
  } else {
    write.apply(this, line);
  }
}
