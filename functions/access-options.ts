import type { Option } from './option.ts';

/** Who may call the agents (docs/security.md). */
export const OF_CALLERS: readonly Option[] = [
  {
    variable: 'HOLDFAST_ACCESS',
    start: 'access',
    value: 'open,keys,google,iap,oidc',
    fallback: 'open',
    functions: ['a2a'],
    meaning:
      'how callers prove who they are, one or several ways with a comma between: API keys (npx --no holdfast keys), Google-signed identity tokens, Identity-Aware Proxy, tokens of `issuers`; open: who shows nothing is let in, as one anonymous caller',
  },
  {
    variable: 'HOLDFAST_ISSUERS',
    start: 'issuers',
    value: 'JSON',
    functions: ['a2a'],
    meaning:
      'OpenID issuers of `oidc`: a list of {"issuer", "audience"}, each perhaps with algorithms, keys, owner, tenant and scope (docs/security.md)',
  },
  {
    variable: 'HOLDFAST_OPEN_ANYWAY',
    start: 'open-anyway',
    functions: ['a2a'],
    meaning:
      'serve agents that spend money, or whose owners decide, to callers who prove nothing, also where others than this machine can call',
  },
];
