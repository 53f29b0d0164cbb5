import type { Workspace } from './workspace.ts';

export interface Resource {
  readonly address: string;
  readonly type: string;
  readonly name: string;
  /** The key in for_each, or the position in count. */
  readonly index?: string | number;
  readonly values: Readonly<Record<string, unknown>>;
}

interface StateModule {
  readonly resources?: readonly Resource[];
  readonly child_modules?: readonly StateModule[];
}

export interface PlannedChange {
  readonly address: string;
  readonly type: string;
  readonly change: { readonly actions: readonly string[] };
}

/** Every resource of a state or of a saved plan, without data sources. */
export async function resourcesOf(
  { run }: Workspace,
  place: string,
  plan?: string,
): Promise<readonly Resource[]> {
  const { output } = await run(place, 'show', '-json', ...(plan === undefined ? [] : [plan]));
  const shown = JSON.parse(output) as {
    readonly values?: { readonly root_module: StateModule };
    readonly planned_values?: { readonly root_module: StateModule };
  };
  const values = plan === undefined ? shown.values : shown.planned_values;
  return values === undefined
    ? []
    : flatten(values.root_module).filter(({ address }) => !/(^|\.)data\./.test(address));
}

function flatten({ resources = [], child_modules: inner = [] }: StateModule): Resource[] {
  return [...resources, ...inner.flatMap(flatten)];
}

/**
 * What a saved plan would do, by address: `update`, `delete/create`. What stays as it is is left
 * out.
 */
export async function changesOf(
  { run }: Workspace,
  place: string,
  plan: string,
): Promise<Readonly<Record<string, string>>> {
  const { output } = await run(place, 'show', '-json', plan);
  const { resource_changes: changes } = JSON.parse(output) as {
    readonly resource_changes: readonly PlannedChange[];
  };
  return Object.fromEntries(
    changes
      .map(({ address, change }) => [address, change.actions.join('/')] as const)
      .filter(([, actions]) => actions !== 'no-op' && actions !== 'read'),
  );
}

/** A block of a resource's values that is there once. */
export function blockOf(values: Readonly<Record<string, unknown>>, name: string) {
  const [block] = (values[name] ?? []) as readonly Readonly<Record<string, unknown>>[];
  return block ?? {};
}
