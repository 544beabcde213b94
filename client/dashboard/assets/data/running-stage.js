/**
 * What a running completion waits for: `waiting` for a session, `asked` the upstream, which has not begun, or `answering`.
 * Undefined for any other request, and while the gateway itself is at work on it. Callers are not told of attempts. Where
 * several gateways have one log, what it says of a running request may be old.
 *
 * @param {Record<string, any>} entry
 * @returns {'waiting' | 'asked' | 'answering' | undefined}
 */
export function runningStage({ outcome, operation, preparedMs, ...entry }) {
  if (outcome !== 'pending' || operation !== 'completion' || preparedMs === undefined) {
    return undefined;
  }
  const { node, attempts, acceptedMs, firstAnswerMs, firstTokenMs } = entry;
  const last = attempts?.at(-1);
  const isAsked = attempts ? last?.outcome === 'running' : acceptedMs !== undefined;
  if (firstTokenMs !== undefined) {
    return 'answering';
  }
  if (node !== undefined) {
    return undefined;
  }
  if (isAsked && firstAnswerMs >= (last?.startedMs ?? 0)) {
    return 'answering';
  }
  return isAsked ? 'asked' : 'waiting';
}
