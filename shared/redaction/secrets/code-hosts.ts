// GitHub:
// https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/.
// GitLab: https://docs.gitlab.com/security/tokens/#token-prefixes. npm:
// https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/. PyPI:
// https://docs.pypi.org/api/secrets/ (a macaroon, base64). Docker:
// https://docs.docker.com/security/access-tokens/. Hugging Face:
// https://huggingface.co/docs/hub/security-tokens.
import { tokens, type TokenShape } from './tokens.ts';

const GITHUB = ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'];
const GITLAB = ['glpat-', 'gloas-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-'];

const each = (prefixes: readonly string[], rest: RegExp): TokenShape[] =>
  prefixes.map((prefix) => ({ prefix, rest }));

export const findCodeHostTokens = tokens([
  ...each(GITHUB, /[A-Za-z0-9]{36,255}/y),
  { prefix: 'github_pat_', rest: /[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/y },
  ...each([...GITLAB, 'glagent-'], /[A-Za-z0-9_-]{20,300}(?:\.[a-z0-9]{2}\.[a-z0-9]{9})?/y),
  { prefix: 'npm_', rest: /[A-Za-z0-9]{36}(?![A-Za-z0-9_])/y },
  { prefix: 'pypi-AgE', rest: /[A-Za-z0-9_-]{50,1024}/y },
  { prefix: 'dckr_pat_', rest: /[A-Za-z0-9_-]{20,64}/y },
  { prefix: 'hf_', rest: /[A-Za-z]{34,40}(?![A-Za-z0-9_])/y, word: true },
]);
