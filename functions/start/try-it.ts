import type { DefinedAgent } from '../../shared/agent/index.ts';

/**
 * A table that shows what the sample agent finds: a missing value, an outlier, two types of column.
 */
const TABLE =
  'city,population,area_km2\\nBerlin,3677472,891\\nHamburg,1906411,755\\nMunich,1487708,\\nUlm,126949,119\\n';

/** A command to paste: it sends real input to the default agent and prints the finished task. */
export function tryItCommand(url: string, agent: DefinedAgent): string {
  const text =
    agent.name === 'table-profiler'
      ? TABLE
      : (agent.card.skills[0]?.examples?.[0] ?? 'hello').replaceAll("'", '');
  const message = `{"message":{"messageId":"try-1","role":"ROLE_USER","parts":[{"text":${quoted(text)}}]}}`;
  return [
    `Try it (agent ${agent.name}; its card: ${url}/.well-known/agent-card.json):`,
    '',
    `curl -s ${url}/message:send -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' \\`,
    `  -d '${message}'`,
    '',
  ].join('\n');
}

/** What shows an operator what became of it, or what it waits for. */
export function lookCommand(data: string): string {
  const beside = data === './holdfast-data' ? '' : ` --data ${data}`;
  return `See what it did: npx holdfast runs${beside}\nSee what waits for you: npx holdfast inbox${beside}\n`;
}

/** The table is written with its escapes already; anything else is quoted as JSON. */
function quoted(text: string): string {
  return text === TABLE ? `"${text}"` : JSON.stringify(text);
}
