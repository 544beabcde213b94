import { Logger } from '@nestjs/common';
import { type LeftOut } from '../common/config/settings.errors.js';
import { type SavedSettings, type SettingsEditor } from '../common/config/settings-editor.js';
import { sharedSettingNames } from '../common/config/shared-settings-names.js';
import { GatewayError, InternalError } from '../common/errors/gateway.errors.js';
import { type PgQuery } from '../common/store/pg-client.js';
import { type PgDatabase } from '../common/store/pg-database.js';
import { SETTINGS_PLACE } from '../common/store/resealing.js';
import { type SecretBox } from '../common/store/secret-box.js';
import { Mutex } from '../common/time/mutex.js';
import { type NodeReport } from './node-report.js';
import { type SharedChanges } from './shared-changes.js';

const READ = `
  SELECT version, sealed FROM shared_settings, shared_versions WHERE topic = 'settings'`;

/** Values by name. */
type SharedValues = Readonly<Record<string, unknown>>;

interface StoredSettings {
  readonly version: number;
  /** Undefined before the first change. */
  readonly values: SharedValues | undefined;
}

/** Collaborators of settings that several gateways share. */
export interface SharedSettingsStore {
  readonly database: PgDatabase;
  readonly box: SecretBox;
  readonly changes: SharedChanges;
  readonly report: NodeReport;
}

/** Shared settings that this node could not take over. */
export interface SettingsReport {
  /** Why none of them can be taken over for now. */
  readonly settingsProblem?: string;
  /** Those whose values cannot be used on this node; the others are in force. */
  readonly leftOut?: readonly LeftOut[];
  /** Names of shared settings that the environment of this node decides. */
  readonly overridden?: readonly string[];
}

/** A change, with the settings as they were before. */
export interface SettingsChange {
  readonly before: SavedSettings;
  readonly saved: SavedSettings;
}

/**
 * The settings for the operator's page. Where gateways share a database, the editable ones have a version, and each gateway
 * copies a new one into its own file and into force; without a database this is the editor of the file.
 */
export class SharedSettings {
  private readonly logger = new Logger(SharedSettings.name);
  private knownVersion: number | undefined;
  private state: SettingsReport = {};
  private readonly mutex = new Mutex();

  constructor(
    private readonly editor: SettingsEditor,
    private readonly store?: SharedSettingsStore,
  ) {
    store?.changes.follow('settings', () => this.readShared());
    store?.report.add(() => this.state);
  }

  /**
   * The settings as the last known version has them.
   * @throws GatewayError as `SettingsEditor.read`
   */
  async read(): Promise<SavedSettings> {
    if (!this.store) {
      return this.editor.read();
    }
    // While the database is away, the known version stays in force.
    if (!this.store.database.outage.isOngoing) {
      await this.readShared().catch(() => undefined);
    }
    return this.versioned(this.editor.read());
  }

  /**
   * Changes settings on this gateway, and on the others within a second.
   * @param isCurrent whether the caller has seen the given version
   * @throws GatewayError as `SettingsEditor.save`, and `internal_error` if they cannot be stored; then nothing has changed
   */
  async save(values: SharedValues, isCurrent: (version: string) => boolean): Promise<SettingsChange> {
    const { store } = this;
    if (!store) {
      const before = this.editor.read();
      return { before, saved: this.editor.save(values, isCurrent) };
    }
    return this.mutex.run(() =>
      this.saveShared(store, values, isCurrent).catch((error: unknown) => {
        throw error instanceof GatewayError
          ? error
          : new InternalError('local_resources', 'the settings cannot be stored; nothing was changed.', {
              cause: error,
            });
      }),
    );
  }

  private async saveShared(
    { database, box }: SharedSettingsStore,
    values: SharedValues,
    isCurrent: (version: string) => boolean,
  ): Promise<SettingsChange> {
    let undo = (): void => undefined;
    try {
      const change = await database.transaction(async (query) => {
        // Locks the version to the end, so that no other gateway changes anything meanwhile.
        await query(`SELECT shared_changed('settings')`);
        const { version, values: stored } = await readStored(query, box);
        const present = version - 1;
        if (!isCurrent(String(present))) {
          throw new GatewayError('version_conflict', 'The settings were changed meanwhile: read them again.');
        }
        this.adoptVersion({ version: present, values: stored });
        const before = this.versioned(this.editor.read());
        const earlier = this.editor.sharedValues();
        const { state } = this;
        undo = () => {
          this.editor.adopt(earlier);
          this.state = state;
        };
        const saved = this.editor.save(values, () => true);
        const next = changed(stored ?? earlier, values);
        // No value is new here, but one that was left out before may be usable now.
        this.applyValues(next);
        await query('UPDATE shared_settings SET sealed = $1', [
          box.seal(JSON.stringify(next), SETTINGS_PLACE),
        ]);
        return { before, saved, version };
      });
      this.knownVersion = change.version;
      return { before: change.before, saved: this.versioned(change.saved) };
    } catch (error) {
      undo();
      throw error;
    }
  }

  private readShared(): Promise<void> {
    return this.mutex.run(async () => {
      if (this.store) {
        const { database, box } = this.store;
        this.adoptVersion(await readStored((sql) => database.query(sql), box));
      }
    });
  }

  private adoptVersion({ version, values }: StoredSettings): void {
    if (version === this.knownVersion) {
      return;
    }
    if (values) {
      this.applyValues(values);
    }
    this.knownVersion = version;
  }

  /**
   * Settings that cannot be used here are left out: those of others must not stop this gateway.
   * @throws GatewayError if its file cannot be used or changed for now; then they are taken over later
   */
  private applyValues(values: SharedValues): void {
    try {
      const leftOut = this.editor.adopt(values);
      const overridden = this.editor.overridden(Object.keys(values));
      this.state = { ...(leftOut.length > 0 && { leftOut }), ...(overridden.length > 0 && { overridden }) };
      if (leftOut.length > 0) {
        this.logger.error(
          { leftOut },
          'settings of the other gateways cannot be used here, and were left out',
        );
      }
    } catch (error) {
      this.state = { settingsProblem: (error as Error).message };
      throw error;
    }
  }

  private versioned(saved: SavedSettings): SavedSettings {
    return { ...saved, version: String(this.knownVersion ?? 0) };
  }
}

/** Takes what gateways share into this one's file, before it starts: some settings take effect only then. */
export async function adoptSharedSettings(
  database: PgDatabase,
  box: SecretBox,
  editor: SettingsEditor,
): Promise<void> {
  const { values } = await readStored((sql) => database.query(sql), box);
  try {
    editor.adopt(values ?? editor.sharedValues());
  } catch {
    // The gateway starts with its own, and says so once it looks for changes.
  }
}

async function readStored(query: PgQuery, box: SecretBox): Promise<StoredSettings> {
  const [row] = await query<{ version: number; sealed: Uint8Array | null }>(READ);
  const { version, sealed } = row!;
  const values = sealed ? (JSON.parse(box.openText(sealed, SETTINGS_PLACE)) as SharedValues) : undefined;
  return { version, values };
}

/**
 * The shared values after a change; what it changes of one node alone is left out. Names that this release does not know are
 * those of another one, whose nodes share the values meanwhile.
 */
function changed(values: SharedValues, changes: SharedValues): SharedValues {
  const names = new Set(sharedSettingNames());
  const shared = Object.entries(changes).filter(([name]) => names.has(name));
  const next = { ...values, ...Object.fromEntries(shared) };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null && value !== ''));
}
