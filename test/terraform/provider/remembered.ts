// What Google does when something is made or deleted, and no schema says: protection, and names
// that stay taken.
import type { Complaint } from './check-config.ts';
import type { Fields, Value } from './wire-value.ts';

/**
 * Types whose names are unique, with what is in the name; and how long the name of a deleted one is
 * blocked.
 */
const NAMED: Readonly<
  Record<string, { readonly by: readonly string[]; readonly blocked?: 'for ever' | 'for days' }>
> = {
  google_artifact_registry_repository: { by: ['project', 'location', 'repository_id'] },
  google_cloud_run_v2_service: { by: ['project', 'location', 'name'] },
  google_cloud_tasks_queue: { by: ['project', 'location', 'name'], blocked: 'for days' },
  google_cloudfunctions2_function: { by: ['project', 'location', 'name'] },
  google_firestore_database: { by: ['project', 'name'] },
  google_kms_crypto_key: { by: ['key_ring', 'name'], blocked: 'for ever' },
  google_kms_key_ring: { by: ['project', 'location', 'name'], blocked: 'for ever' },
  google_secret_manager_secret: { by: ['project', 'secret_id'] },
  google_service_account: { by: ['project', 'account_id'] },
  google_storage_bucket: { by: ['name'] },
};

/** One project, as long as its tests last: what is there, known to a state or not. */
export class Remembered {
  readonly #taken = new Set<string>();

  /** Says what is wrong with making it. */
  make(type: string, resource: Fields): Complaint | undefined {
    const name = nameOf(type, resource);
    if (name === undefined) return undefined;
    if (this.#taken.has(name)) {
      return {
        summary: 'Error 409: already exists',
        detail: `${name} is there, or its name is blocked`,
      };
    }
    this.#taken.add(name);
    return undefined;
  }

  /** Says what is wrong with deleting it. */
  remove(type: string, resource: Fields): Complaint | undefined {
    const detail = `${type} ${nameOf(type, resource) ?? ''}`;
    const policy = resource['deletion_policy'];
    if (policy === 'PREVENT') return { summary: 'deletion_policy is PREVENT', detail };
    if (policy === 'ABANDON') return undefined;
    const { delete_protection_state: state, deletion_protection: on } = resource;
    if (state === 'DELETE_PROTECTION_ENABLED' || on === true)
      return { summary: 'deletion protection is on', detail };
    const name = nameOf(type, resource);
    if (name !== undefined && NAMED[type]?.blocked === undefined) this.#taken.delete(name);
    return undefined;
  }
}

function nameOf(type: string, resource: Fields): string | undefined {
  const named = NAMED[type];
  if (named === undefined) return undefined;
  return [type, ...named.by.map((member) => JSON.stringify(resource[member]))].join(' ');
}

/**
 * A document as the API gives it back: without what is zero, false or empty. The same text where
 * there is none of that, so that a configuration which leaves such things out is seen as unchanged.
 */
export function givenBack(json: Value): Value {
  if (typeof json !== 'string') return json;
  const [whole, kept] = [JSON.parse(json) as unknown, withoutEmpty(JSON.parse(json))];
  return JSON.stringify(whole) === JSON.stringify(kept) ? json : JSON.stringify(kept);
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value)
    .map(([name, inner]) => [name, withoutEmpty(inner)] as const)
    .filter(([, inner]) => ![0, '', false, null].some((empty) => empty === inner))
    .filter(([, inner]) => !(Array.isArray(inner) && inner.length === 0));
  return Object.fromEntries(kept);
}
