import { TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { PushNotificationStore, StoredPushNotificationConfig } from '@a2a-js/sdk/server';
import { z } from 'zod';
import type { Blobs } from '../ports/blobs.ts';
import { Contention, isFault, Unreadable } from '../ports/faults.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { Sealer } from '../ports/sealer.ts';
import { systemIds } from '../system/system-ids.ts';
import { ROUNDS } from './rounds.ts';
import { BadTaskError, ID_RULE } from './errors.ts';
import {
  type CallContext,
  type LayoutOptions,
  pushFolder,
  scopesOf,
  type ScopeOf,
} from './layout.ts';
import { openText, sealText } from './sealed-text.ts';
import { segmentOf } from './segment.ts';

export interface GcsPushNotificationStoreOptions extends LayoutOptions {
  readonly blobs: Blobs;
  /**
   * Seals each configuration, token and credentials among it; without one they lie in the bucket as
   * JSON in clear.
   */
  readonly sealer?: Sealer;
  readonly ids?: Ids;
  /** Told of configurations that can't be read, by their names. */
  readonly log?: Log;
}

const stored = z.object({ config: z.looseObject({}), wireVersion: z.string() });
/** The version of a caller that names none (A2A 1.0, section 3.6). */
const NO_VERSION = '0.3';
/** A task has at most this many configurations. */
const MOST = 100;

/**
 * The SDK's PushNotificationStore over objects: `tasks/<taskId>/push/<configId>.json`. They are
 * beside the pointer, for the SDK's handler saves the one of a first message before the task has a
 * context. `GcsTaskStore.delete` removes them with the task; give both stores the same options.
 */
export class GcsPushNotificationStore implements PushNotificationStore {
  readonly #blobs: Blobs;
  readonly #scopeOf: ScopeOf;
  readonly #ids: Ids;
  readonly #sealer: Sealer | undefined;
  readonly #log: Log | undefined;

  /** Throws BadPrefix. */
  constructor(options: GcsPushNotificationStoreOptions) {
    this.#blobs = options.blobs;
    this.#scopeOf = scopesOf(options);
    this.#ids = options.ids ?? systemIds();
    this.#sealer = options.sealer;
    this.#log = options.log;
  }

  /**
   * Creates or replaces the configuration of that id; an empty id is filled in. Throws BadTaskError
   * for ids that can't be stored and for more than 100 configurations, Unavailable, Contention.
   */
  async save(
    taskId: string,
    context: CallContext,
    config: TaskPushNotificationConfig,
  ): Promise<void> {
    const folder = pushFolder(this.#scopeOf(context), taskId);
    if (folder === undefined) throw new BadTaskError('taskId', ID_RULE);
    if (config.id === '') config.id = this.#ids.uuid();
    const segment = segmentOf(config.id);
    if (segment === undefined) throw new BadTaskError('id', ID_RULE);
    const name = `${folder}${segment}.json`;
    const text = JSON.stringify({
      config: TaskPushNotificationConfig.toJSON(config),
      wireVersion: context.requestedVersion || NO_VERSION,
    });
    const body = Buffer.from(
      this.#sealer === undefined
        ? text
        : await sealText({ sealer: this.#sealer, ids: this.#ids }, name, text),
    );
    await this.#requireRoom(folder, name);
    await this.#replace(name, body);
  }

  /** Throws Unavailable. */
  async load(taskId: string, context: CallContext): Promise<TaskPushNotificationConfig[]> {
    const found = await this.loadWithMetadata(taskId, context);
    return found.map(({ config }) => config);
  }

  /** In the order of their ids' segments. Throws Unavailable. */
  async loadWithMetadata(
    taskId: string,
    context: CallContext,
  ): Promise<StoredPushNotificationConfig[]> {
    const folder = pushFolder(this.#scopeOf(context), taskId);
    if (folder === undefined) return [];
    const entries = await this.#blobs.list(folder, MOST);
    const found = await Promise.all(entries.map(({ name }) => this.#readable(name)));
    return found.filter((each) => each !== undefined);
  }

  /** Without a configuration's id: the one with the task's id, as the SDK's store in memory. */
  async delete(taskId: string, context: CallContext, configId: string = taskId): Promise<void> {
    const folder = pushFolder(this.#scopeOf(context), taskId);
    const segment = segmentOf(configId);
    if (folder === undefined || segment === undefined) return;
    await this.#blobs.delete(`${folder}${segment}.json`);
  }

  async #requireRoom(folder: string, name: string): Promise<void> {
    const entries = await this.#blobs.list(folder, MOST);
    if (entries.length < MOST || entries.some((entry) => entry.name === name)) return;
    throw new BadTaskError('taskId', `a task has at most ${MOST} configurations; delete some`);
  }

  /** The last writer's stands, as with every store of the SDK. */
  async #replace(name: string, body: Uint8Array): Promise<void> {
    let expect = 'absent';
    for (let round = 1; round <= ROUNDS; round += 1) {
      const contentType = 'application/json';
      const written = await this.#blobs.put(name, body, { contentType, expect });
      if (written !== 'stale') return;
      expect = (await this.#blobs.get(name))?.generation ?? 'absent';
    }
    throw new Contention(ROUNDS);
  }

  /** One that can't be read must not keep the others from their webhooks. */
  async #readable(name: string): Promise<StoredPushNotificationConfig | undefined> {
    const blob = await this.#blobs.get(name);
    if (blob === undefined) return undefined;
    try {
      const text = await openText(this.#sealer, name, new TextDecoder().decode(blob.body));
      const { config, wireVersion } = parse(name, text);
      return { config: TaskPushNotificationConfig.fromJSON(config), wireVersion };
    } catch (error) {
      if (!isFault(error) || error.advice !== 'stop') throw error;
      this.#log?.write('error', 'unreadable push configuration', { name, fault: error.name });
      return undefined;
    }
  }
}

function parse(name: string, text: string) {
  try {
    return stored.parse(JSON.parse(text));
  } catch (error) {
    throw new Unreadable(name, error);
  }
}
