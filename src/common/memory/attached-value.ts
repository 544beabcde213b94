/**
 * A value that a part of the gateway keeps with a request, a response or a connection, as a property that it alone knows.
 * Five of these cost a request less than one entry of a `WeakMap`, which is 0.8 µs, most of it the garbage collector's.
 */
export class AttachedValue<Owner extends object, Value> {
  private readonly name: symbol;

  /** @param description of the value, for debuggers */
  constructor(description: string) {
    this.name = Symbol(description);
  }

  get(owner: Owner): Value | undefined {
    return (owner as Attached<Value>)[this.name];
  }

  set(owner: Owner, value: Value): void {
    (owner as Attached<Value>)[this.name] = value;
  }

  /** The value, which is forgotten. */
  take(owner: Owner): Value | undefined {
    const value = this.get(owner);
    if (value !== undefined) {
      // Not deleted: V8 would turn the owner into a dictionary.
      (owner as Attached<Value>)[this.name] = undefined;
    }
    return value;
  }
}

type Attached<Value> = Record<symbol, Value | undefined>;
