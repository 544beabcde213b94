interface Store<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of a key; where there is none, one is made and kept. As `Map.prototype.getOrInsertComputed` to come. */
export function getOrInsert<Key, Value>(store: Store<Key, Value>, key: Key, make: () => Value): Value {
  const known = store.get(key);
  if (known !== undefined) {
    return known;
  }
  const made = make();
  store.set(key, made);
  return made;
}
