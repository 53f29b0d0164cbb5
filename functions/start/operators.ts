import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../shared/app/app.ts';
import type { AgentCards } from '../../shared/operator/operation.ts';
import { LOOPBACK_HOSTS } from '../../shared/http/guard.ts';
import { httpServer } from '../../shared/http/server.ts';
import { lazyEdge } from './lazy-edge.ts';
import type { Published } from '../load-agents.ts';
import {
  makeOperatorsFile,
  OPERATOR_URL_FILE,
  OPERATORS_FILE,
  openOperatorsFile,
  requireOperators,
  rightsSince,
} from '../operators-file.ts';
import { BadConfiguration } from '../settings.ts';
import type { StartOptions } from './arguments.ts';
import { listen } from './listen.ts';

const LOOPBACK = '127.0.0.1';
const PORT = 8081;

/**
 * The operators' API of one machine: on loopback alone, and only with a token of the data folder's
 * file. `first` of the servers on that folder, it says there where it listens, as long as it does.
 */
export async function serveOperators(
  app: App,
  agents: Published,
  { data, operatorPort, port }: Pick<StartOptions, 'data' | 'operatorPort' | 'port'>,
  first: boolean,
  cards: AgentCards,
): Promise<{ readonly url: string; stop(): void }> {
  const file = makeOperatorsFile(data, app.ids);
  requireOperators(file);
  const missing = rightsSince(file);
  if (missing.length > 0)
    app.log.write('warning', 'operator lacks rights of this release', {
      file: OPERATORS_FILE,
      why: `add ${missing.map((right) => `"${right}"`).join(', ')} to "may" of "local"; it is read at once`,
    });
  const closing = new AbortController();
  const edge = lazyEdge(app.log, async () => {
    const { createOperatorApp } = await import('../../shared/operator/operator-app.ts');
    return createOperatorApp({
      app,
      agents: agents.all.map((agent) => agent.name),
      identify: openOperatorsFile(file, app.log).identify,
      console: async () => (await import('../console/assets.ts')).openConsole(),
      cards,
      hosts: LOOPBACK_HOSTS,
      closing: closing.signal,
      host: async () => (await import('../host-findings.ts')).hostFindings(process.env, data),
    });
  });
  const serve = async (wanted: number) => {
    const server = httpServer(edge);
    return { server, url: await listen(server, wanted, LOOPBACK, 'operator-port') };
  };
  // A second system on this machine, or one that took a free port itself, takes a free one here,
  // too.
  const { server, url } = await serve(operatorPort ?? (port === 0 ? 0 : PORT)).catch(
    (error: unknown) => {
      if (operatorPort === undefined && error instanceof BadConfiguration) return serve(0);
      throw error;
    },
  );
  // Where the command line looks for it.
  const told = join(data, OPERATOR_URL_FILE);
  if (first) {
    rmSync(told, { force: true });
    writeFileSync(told, `${url}\n`, { mode: 0o600 });
  }
  return {
    url,
    stop() {
      // Another program may listen there next, and must not be sent a token.
      if (first) rmSync(told, { force: true });
      closing.abort();
      server.close();
      server.closeAllConnections();
    },
  };
}
