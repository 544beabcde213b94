import { type BindRule } from '../../recipe/capture-rules.js';
import { compileConditions, type Predicate, type Recall } from '../../recipe/condition.js';
import { compileJsonPath, type JsonPath } from '../../recipe/json-path.js';

interface Binding {
  readonly states: Map<unknown, unknown>;
  readonly event: string | undefined;
  readonly fits: Predicate;
  /** The bound value; without it the binding has one state, of no id. */
  readonly read: JsonPath | undefined;
  readonly state: JsonPath;
}

/** Values of an answer's earlier records, for the conditions of later ones: `bind` writes, `sameAs` reads. */
export class RecordMemory {
  private readonly states = new Map<string, Map<unknown, unknown>>();
  private readonly bindings: readonly Binding[];

  constructor(rules: readonly BindRule[]) {
    this.bindings = rules.map(({ name, path, value, when, event }) => ({
      states: this.statesOf(name),
      event,
      fits: compileConditions(when, this.recall),
      read: path === undefined ? undefined : compileJsonPath(path),
      state: value === undefined ? () => true : compileJsonPath(value),
    }));
  }

  /** The state bound under a name with an id; undefined if none is. */
  readonly recall: Recall = (name, id) => {
    const states = this.states.get(name);
    return states?.has(id) === true ? states.get(id) : states?.get(NO_ID);
  };

  /** Whether a rule bound something of the record. A later state of the same id takes the place of the earlier one. */
  take(record: unknown, event: string): boolean {
    let hasBound = false;
    for (const binding of this.bindings) {
      if ((binding.event !== undefined && binding.event !== event) || !binding.fits(record)) {
        continue;
      }
      const id = binding.read ? binding.read(record) : NO_ID;
      const state = binding.state(record);
      if (id !== undefined && state !== undefined) {
        binding.states.set(id, state);
        hasBound = true;
      }
    }
    return hasBound;
  }

  private statesOf(name: string): Map<unknown, unknown> {
    const states = this.states.get(name) ?? new Map<unknown, unknown>();
    this.states.set(name, states);
    return states;
  }
}

/** Key of a state that is not bound to an id. */
const NO_ID = Symbol('no id');
