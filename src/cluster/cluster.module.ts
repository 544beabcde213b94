import { Module } from '@nestjs/common';
import { Settings } from '../common/config/settings.js';
import { SettingsEditor } from '../common/config/settings-editor.js';
import { PgDatabase } from '../common/store/pg-database.js';
import { SecretBox } from '../common/store/secret-box.js';
import { StoreModule } from '../common/store/store.module.js';
import { Clock } from '../common/time/clock.js';
import { Random } from '../common/time/random.js';
import { NodeList } from './node-list.js';
import { NodeReport } from './node-report.js';
import { PgTenures } from './pg-tenures.js';
import { SharedChanges } from './shared-changes.js';
import { SharedSettings } from './shared-settings.js';
import { SingleNodeTenures } from './single-node-tenures.js';
import { Tenures } from './tenures.js';

/** Tenures of accounts, and changes by other nodes: from the shared store, if there is one. */
@Module({
  imports: [StoreModule],
  providers: [
    NodeReport,
    {
      provide: NodeList,
      inject: [PgDatabase],
      useFactory: (shared: PgDatabase | undefined) => new NodeList(shared),
    },
    {
      provide: Tenures,
      inject: [Settings, Clock, Random, NodeReport, SharedChanges, PgDatabase],
      useFactory: (
        { NODE_LEASE_MS }: Settings,
        clock: Clock,
        random: Random,
        report: NodeReport,
        changes: SharedChanges,
        shared: PgDatabase | undefined,
      ): Tenures =>
        shared
          ? new PgTenures(shared, clock, NODE_LEASE_MS, () => random.next(), report, changes)
          : new SingleNodeTenures(),
    },
    {
      provide: SharedChanges,
      inject: [PgDatabase, Random],
      useFactory: (shared: PgDatabase | undefined, random: Random) =>
        new SharedChanges(shared, () => random.next()),
    },
    {
      provide: SharedSettings,
      inject: [SettingsEditor, SecretBox, SharedChanges, NodeReport, PgDatabase],
      useFactory: (
        editor: SettingsEditor,
        box: SecretBox,
        changes: SharedChanges,
        report: NodeReport,
        database: PgDatabase | undefined,
      ) => new SharedSettings(editor, database && { database, box, changes, report }),
    },
  ],
  exports: [NodeList, NodeReport, SharedChanges, SharedSettings, Tenures],
})
export class ClusterModule {}
