import { levels, type LogFn, type Logger } from 'pino';

/** Contexts of Nest's own lines at the start. */
const NEST_START: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
]);

/**
 * Log hook that lowers Nest's fifty lines about its own start from `info` to `debug`: they are of no use to an
 * operator.
 */
export function demoteNestStart(this: Logger, line: Parameters<LogFn>, write: LogFn, level: number): void {
  const { context } = line[0] as { readonly context?: unknown };
  if (level === levels.values.info && NEST_START.has(context)) {
    this.debug(...line);
  } else {
    write.apply(this, line);
  }
}
