import type { SegmentPorts } from '../app/agents.ts';
import type { Step } from '../domain/step.ts';
import type { ListedTool, ToolServers } from '../ports/tool-servers.ts';
import type { Mcp } from './define-mcp.ts';
import type { Equipment } from './work.ts';
import type { Offer, Offers } from './offers.ts';
import { pendingTurn } from './pending-turn.ts';
import { type ServerTools, serverTools, ToolNotOffered } from './server-tools.ts';
import { unfit } from './unfit.ts';

/** A server that can't be asked now. */
interface Away {
  readonly mcp: Mcp;
  readonly words: string;
}

/**
 * What the next step works with: what the agent declares, and the tools that its servers list now.
 * `told` has what the author was told in this segment.
 */
export async function equip(
  declared: Equipment,
  segment: Pick<SegmentPorts, 'toolServers' | 'report' | 'signal'>,
  steps: readonly Step[],
  told: Set<string>,
): Promise<Equipment> {
  const { mcp = [], opened } = declared;
  if (mcp.length === 0) return declared;
  const { report, signal, toolServers } = segment;
  const offers = new Map(declared.offers);
  const away: Away[] = [];
  const listings = await Promise.all(mcp.map(({ server }) => toolServers.list(server, signal)));
  for (const [at, each] of mcp.entries()) {
    const listing = listings[at];
    if (listing === undefined || listing.kind === 'away') {
      const why = listing === undefined ? '' : ` (${listing.reason})`;
      away.push({ mcp: each, words: `The server ${each.server.name} is not available${why}.` });
      continue;
    }
    const { problems, tools } = known(each, listing.tools, toolServers);
    const taken = tools.filter(({ name }) => offers.has(name));
    for (const tool of tools)
      if (!offers.has(tool.name)) offers.set(tool.name, { kind: 'tool', tool });
    const all = [
      ...problems,
      ...taken.map(
        ({ name }) =>
          new ToolNotOffered(each.server.name, name, 'the agent has another of that name'),
      ),
    ];
    for (const error of all) {
      if (told.has(error.message)) continue;
      told.add(error.message);
      report({ where: 'tool', tool: error.tool, error });
    }
  }
  for (const [name, offer] of unanswerable(offers, away, steps)) offers.set(name, offer);
  const missing = away.map(({ words }) => `${words} Its tools can not be called now.`);
  const instructions = [opened.instructions, ...missing].join('\n\n').trim();
  return { ...declared, offers, opened: { ...opened, instructions } };
}

/** Calls that wait for a server which is away get its error, not that there is no such tool. */
function unanswerable(
  offers: Offers,
  away: readonly Away[],
  steps: readonly Step[],
): readonly (readonly [string, Offer])[] {
  const pending = away.length === 0 ? undefined : pendingTurn(steps);
  return (pending?.turn.calls ?? []).flatMap(({ offer, tool: name }) => {
    const server = away.find(({ mcp }) => name.startsWith(mcp.prefix));
    if (server === undefined || offer === undefined || offers.has(name)) return [];
    const ready = () => unfit(`${server.words} The call was not carried out.`);
    const tool = {
      name,
      description: name,
      effect: 'read',
      parameters: {},
      facets: {},
      digest: offer,
      ready,
    } as const;
    return [[name, { kind: 'tool', tool }]] as const;
  });
}

/** The same listing makes the same tools: their schemas are compiled once. */
const made = new WeakMap<readonly ListedTool[], WeakMap<Mcp, ServerTools>>();

function known(mcp: Mcp, listed: readonly ListedTool[], servers: ToolServers): ServerTools {
  const ofListing = made.get(listed) ?? new WeakMap<Mcp, ServerTools>();
  made.set(listed, ofListing);
  const tools = ofListing.get(mcp) ?? serverTools(mcp, listed, servers);
  ofListing.set(mcp, tools);
  return tools;
}
