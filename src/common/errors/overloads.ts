import { type FailureReason } from './failure-reasons.js';
import { type GatewayError } from './gateway.errors.js';

/** Failures that pass by themselves and are nobody's fault. */
const OVERLOADS: ReadonlySet<FailureReason> = new Set<FailureReason>([
  'pool_exhausted',
  'upstream_down',
  'upstream_overloaded',
  'local_resources',
]);

/** Whether there is no room for the request at this moment: some formats have a status of their own for that. */
export function isOverload({ reason }: GatewayError): boolean {
  return OVERLOADS.has(reason);
}
