import { API_KEY_HEADER } from '../../shared/access/api-key-check.ts';
import type { DefinedAgent } from '../../shared/agent/index.ts';
import type { AccessSettings } from '../access-settings.ts';
import type { StartOptions } from './arguments.ts';

/**
 * A table that shows what the sample agent finds: a missing value, an outlier, two types of column.
 */
const TABLE =
  'city,population,area_km2\\nBerlin,3677472,891\\nHamburg,1906411,755\\nMunich,1487708,\\nUlm,126949,119\\n';

/** A command to paste: it sends real input to the default agent and prints the finished task. */
export function tryItCommand(
  url: string,
  agent: DefinedAgent,
  { access, data }: Pick<StartOptions, 'access' | 'data'>,
): string {
  const text =
    agent.name === 'table-profiler'
      ? TABLE
      : (agent.card.skills[0]?.examples?.[0] ?? 'hello').replaceAll("'", '');
  const message = `{"message":{"messageId":"try-1","role":"ROLE_USER","parts":[{"text":${quoted(text)}}]}}`;
  const { before, header } = proofOf(access, besideOf(data));
  return [
    `Try it (agent ${agent.name}; its card: ${url}/.well-known/agent-card.json):`,
    '',
    ...before,
    `curl -s ${url}/message:send${header} -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' \\`,
    `  -d '${message}'`,
    '',
  ].join('\n');
}

/** What a caller must do first, and show. */
function proofOf(
  { ways }: AccessSettings,
  beside: string,
): { before: readonly string[]; header: string } {
  if (ways.includes('open')) return { before: [], header: '' };
  if (ways.includes('keys'))
    return {
      before: [
        `KEY=$(npx --no holdfast keys make --owner me --json${beside} | sed 's/.*"text":"\\([^"]*\\)".*/\\1/')`,
      ],
      header: ` -H "${API_KEY_HEADER}: $KEY"`,
    };
  return { before: [], header: ' -H "Authorization: Bearer $TOKEN"' };
}

/** What shows an operator what became of it, or what it waits for. */
export function lookCommand(data: string): string {
  const beside = besideOf(data);
  return `See all of it in a browser: npx --no holdfast console${beside}\nSee what it did: npx --no holdfast runs${beside}\nSee what waits for you: npx --no holdfast inbox${beside}\n`;
}

const besideOf = (data: string): string => (data === './holdfast-data' ? '' : ` --data ${data}`);

/** The table is written with its escapes already; anything else is quoted as JSON. */
function quoted(text: string): string {
  return text === TABLE ? `"${text}"` : JSON.stringify(text);
}
