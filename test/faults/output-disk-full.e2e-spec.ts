import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildGateway, useChildRig } from '../support/gateway/child-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { SmallDisk, whyNoSmallDisk } from '../support/watch/small-disk.js';

const whyNot = whyNoSmallDisk();

(whyNot === undefined ? describe : describe.skip)(
  `the process log on a full disk${whyNot ? ` (${whyNot})` : ''}`,
  () => {
    let disk: SmallDisk;
    let output: string;
    let child: ChildGateway;

    beforeEach(() => {
      disk = new SmallDisk(2 ** 20);
      output = join(disk.folder, 'gateway.log');
    });
    useChildRig(async (rig) => {
      rig.stub.answerWith(answer({ pieces: ['well'] }));
      child = await rig.start({ LOG_LEVEL: 'info' }, output);
    });
    afterEach(() => disk.remove());

    const logged = (id: string): Promise<void> =>
      eventually(PATIENCE_MS, () => expect(readFileSync(output, 'utf8')).toContain(id));

    it('F21: ends nothing, and goes on once there is space', async () => {
      await logged(await child.ask());
      disk.fill();
      // The last page of the file still has room for some lines.
      const meanwhile: string[] = [];
      for (let asked = 0; asked < 50; asked++) {
        meanwhile.push(await child.ask());
      }
      expect(readFileSync(output, 'utf8')).not.toContain(meanwhile.at(-1));
      disk.empty();
      await logged(await child.ask());
      await logged(meanwhile.at(-1) ?? '');
      const lines = readFileSync(output, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{'));
      expect(lines.filter((line) => !isJson(line))).toEqual([]);
      child.signal('SIGTERM');
      expect(await child.ended).toEqual([0, null]);
    });
  },
);

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
