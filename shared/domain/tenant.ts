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

/** Why that is no name of a tenant, which may be a segment of a path; undefined if it is one. */
export function tenantProblem(name: string): string | undefined {
  if (!TENANT.test(name)) return 'must be 1 to 64 characters of A-Z a-z 0-9 . _ -';
  return ROUTES.has(name) ? 'is the name of a route' : undefined;
}
