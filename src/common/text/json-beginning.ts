/**
 * The JSON of a value that was parsed from JSON, or its beginning. Unlike `JSON.stringify`, it costs no more than it returns.
 * @param limit most characters
 */
export function jsonBeginning(value: unknown, limit: number): string {
  const pieces: string[] = [];
  let room = limit;

  /** Returns whether there is room for more. */
  const push = (piece: string): boolean => {
    pieces.push(piece);
    room -= piece.length;
    return room > 0;
  };
  const write = (part: unknown): boolean => {
    if (typeof part === 'string') {
      return push(JSON.stringify(part.length > room ? part.slice(0, room) : part));
    }
    if (Array.isArray(part)) {
      return push('[') && part.every((item, at) => (at === 0 || push(',')) && write(item)) && push(']');
    }
    return typeof part === 'object' && part !== null ? writeMembers(part) : push(JSON.stringify(part));
  };
  const writeMembers = (members: object): boolean => {
    let before = '{';
    for (const name in members) {
      if (!(push(before) && write(name) && push(':') && write(members[name as keyof typeof members]))) {
        return false;
      }
      before = ',';
    }
    return before === '{' ? push('{}') : push('}');
  };
  write(value);
  return pieces.join('').slice(0, limit);
}
