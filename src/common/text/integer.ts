/** The number that a text of digits names; any other value as it is, for a check to refuse. */
export function toInteger(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}
