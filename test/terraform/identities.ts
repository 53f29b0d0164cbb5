import type { Resource } from './state.ts';

/** Which member holds which role on what, a line each: what a reviewer wants to read. */
export function grantsOf(resources: readonly Resource[]): readonly string[] {
  return resources
    .filter(({ type }) => type.endsWith('_iam_member'))
    .map(({ type, values }) => {
      const condition = (values['condition'] ?? []) as readonly { readonly expression: string }[];
      const only = condition.map(({ expression }) => ` if ${expression}`).join('');
      return `${text(values['member'])} has ${text(values['role'])} on ${placeOf(type, values)}${only}`;
    })
    .toSorted();
}

function placeOf(type: string, values: Readonly<Record<string, unknown>>): string {
  const kind = type.replace(/^google_/, '').replace(/_iam_member$/, '');
  const names = [
    'service',
    'name',
    'bucket',
    'crypto_key_id',
    'secret_id',
    'repository',
    'service_account_id',
    'project',
  ];
  const name = names.map((key) => values[key]).find((value) => typeof value === 'string');
  return `${kind} ${text(name)}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '?';
}
