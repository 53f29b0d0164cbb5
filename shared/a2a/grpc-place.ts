const PREFIX = 'agents/';

/**
 * The agent and the tenant that a request names. gRPC has no path of its own, so the tenant of an
 * agent's interface says what the path says elsewhere: `agents/<name>`, and the tenant behind it.
 */
export function placeOf(tenant: string): { readonly agent?: string; readonly tenant: string } {
  if (!tenant.startsWith(PREFIX)) return { tenant };
  const [agent = '', ...rest] = tenant.slice(PREFIX.length).split('/');
  return { agent, tenant: rest.join('/') };
}

/** The tenant by which an agent's card has itself called. */
export function tenantOfAgent(name: string): string {
  return `${PREFIX}${name}`;
}
