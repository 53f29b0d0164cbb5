import { tenantProblem } from '../domain/tenant.ts';
import { invalidParams } from './failure.ts';

/** The tenant that a request names in its path, or in its parameters; empty when it names none. */
export function tenantOf(path: string | undefined, parameter: unknown): string {
  const named = parameter === undefined || parameter === null ? '' : parameter;
  if (typeof named !== 'string') throw violation('must be a string');
  if (path !== undefined && named !== '' && named !== path) {
    throw violation('differs from the tenant in the path');
  }
  const tenant = path ?? named;
  const problem = tenant === '' ? undefined : tenantProblem(tenant);
  if (problem !== undefined) throw violation(problem);
  return tenant;
}

function violation(description: string): Error {
  return invalidParams([{ field: 'tenant', description }]);
}
