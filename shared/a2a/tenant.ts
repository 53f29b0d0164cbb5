import { invalidParams } from './failure.ts';

/** A tenant of that name could not be told from a route. */
const ROUTES: ReadonlySet<string> = new Set([
  'tasks',
  'extendedAgentCard',
  'agents',
  'v1',
  '.well-known',
  '.',
  '..',
]);
const TENANT = /^[A-Za-z0-9._-]{1,64}$/;

/** The tenant that a request names in its path, or in its parameters; empty when it names none. */
export function tenantOf(path: string | undefined, parameter: unknown): string {
  const named = parameter === undefined || parameter === null ? '' : parameter;
  if (typeof named !== 'string') throw violation('must be a string');
  if (path !== undefined && named !== '' && named !== path) {
    throw violation('differs from the tenant in the path');
  }
  const tenant = path ?? named;
  if (tenant === '') return '';
  if (!TENANT.test(tenant)) throw violation('must be 1 to 64 characters of A-Z a-z 0-9 . _ -');
  if (ROUTES.has(tenant)) throw violation('is the name of a route');
  return tenant;
}

function violation(description: string): Error {
  return invalidParams([{ field: 'tenant', description }]);
}
