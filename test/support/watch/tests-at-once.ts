import { format } from 'node:util';
import { it } from '@jest/globals';

/** Each may have a browser of its own: more would only wait for the processor. */
const AT_ONCE = 5;

type Body = () => Promise<void>;

/**
 * Tests that spend their time waiting. They run at once, so that each needs what it uses for itself alone:
 *
 *     await using site = await OddSite.start();
 *
 * The first one reported takes the time of all. Jest's own `it.concurrent` will not do: once one of its tests is over, the
 * others may load no module.
 */
export class TestsAtOnce {
  private readonly bodies: Body[] = [];
  private outcomes: Promise<readonly PromiseSettledResult<void>[]> | undefined;

  it(title: string, body: Body): void {
    const at = this.bodies.push(body) - 1;
    it(title, async () => {
      const outcome = (await (this.outcomes ??= this.run()))[at];
      if (outcome?.status !== 'fulfilled') {
        throw outcome?.reason;
      }
    });
  }

  /** As `it.each`; the title may hold `%s` and the like for the first members of a row. */
  each<Row extends [unknown, ...unknown[]]>(rows: readonly Row[]) {
    return (title: string, body: (...row: Row) => Promise<void>): void => {
      const holes = title.match(/%\w/g)?.length ?? 0;
      rows.forEach((row) => this.it(format(title, ...row.slice(0, holes)), () => body(...row)));
    };
  }

  private async run(): Promise<readonly PromiseSettledResult<void>[]> {
    const outcomes: PromiseSettledResult<void>[] = [];
    const waiting = this.bodies.entries();
    const work = async (): Promise<void> => {
      for (const [at, body] of waiting) {
        [outcomes[at]] = await Promise.allSettled([body()]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return outcomes;
  }
}
