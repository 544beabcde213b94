/**
 * A value derived from texts that may change, such as settings: derived anew once one of them has.
 * @param read the texts of this moment; called each time the value is asked for
 */
export function following<Texts extends readonly string[], T>(
  read: () => readonly [...Texts],
  derive: (...texts: Texts) => T,
): () => T {
  let known: readonly [...Texts] | undefined;
  let derived: T;
  return () => {
    const texts = read();
    if (known?.every((text, at) => text === texts[at]) !== true) {
      known = texts;
      derived = derive(...texts);
    }
    return derived;
  };
}
