import express from 'express';
import type { Request, Response } from 'express';
import type { App } from '../app/app.ts';
import { createLiveRuns } from '../app/operators/live-runs.ts';
import { rightsOf } from '../app/operators/operator-rights.ts';
import { within } from '../app/tracing.ts';
import { faultName } from '../app/wake-up.ts';
import type { Finding } from '../app/operators/examine.ts';
import type { TaskService } from '../app/service.ts';
import type { AgentName } from '../domain/ids.ts';
import { traceparent } from '../domain/trace-context.ts';
import { logRequest } from '../http/request-log.ts';
import { RefusedRequest } from '../http/refused-request.ts';
import { failureOfExpectation } from '../http/server.ts';
import { readBody } from './body.ts';
import { type ConsoleAssets, ConsoleFiles } from './console.ts';
import { fail, failureOf, OperatorError } from './failure.ts';
import { failureOfForeignPage, failureOfHost } from './foreign-page.ts';
import type { Identify } from './identity.ts';
import type { AgentCards, Operation } from './operation.ts';
import { API } from './described.ts';
import { Reply } from './reply.ts';
import { findRoute } from './route.ts';

export interface OperatorAppOptions {
  readonly app: App;
  /** The published agents: a caller with a right on one of them is an operator. */
  readonly agents: readonly AgentName[];
  readonly identify: Identify;
  /** The console, loaded with the first request for it; absent: none is served. */
  readonly console?: () => Promise<ConsoleAssets>;
  readonly cards?: AgentCards;
  /** Names that this server is called by; absent: any. */
  readonly hosts?: readonly string[];
  /** What only this process can look at, for `doctor`. */
  readonly host?: () => Promise<readonly Finding[]>;
  /** Aborts when the process is about to go away: streams end as planned. */
  readonly closing?: AbortSignal;
}

/** An answer is what it says it is, and for the page that asked. */
const HEADERS = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
] as const;

/** Bodies here are decisions, never files. */
const BODY = 1024 * 1024;
const FLUSH = 5_000;

/** The operators' API: the same for the deployed function and for one machine. */
export function createOperatorApp(options: OperatorAppOptions): express.Express {
  const { agents, app, cards, closing, host, hosts, identify } = options;
  const { clock, settings } = app;
  const replying = { clock, heartbeat: settings.heartbeat, closing };
  const live = createLiveRuns(app);
  let service: Promise<TaskService> | undefined;
  const tasks = (): Promise<TaskService> => {
    service ??= import('../app/tasks/task-service.ts').then((found) =>
      found.createTaskService(app),
    );
    return service;
  };
  let loading: Promise<ConsoleFiles> | undefined;

  function consoleFiles(): Promise<ConsoleFiles> | undefined {
    const { console } = options;
    loading ??= console?.().then((assets) => new ConsoleFiles(assets));
    return loading?.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  }

  async function serveConsole(req: Request, res: Response): Promise<void> {
    const refused = failureOfHost(req, hosts);
    if (refused !== undefined) throw new OperatorError(refused);
    if (req.path === '/console') {
      res.redirect(308, '/console/');
      return;
    }
    const files = await consoleFiles();
    if (files?.serve(req, res, req.path) !== true) throw fail('ROUTE_NOT_FOUND');
  }

  async function serve(
    operation: Operation,
    params: Readonly<Record<string, string>>,
    req: Request,
    res: Response,
    reply: Reply,
  ): Promise<void> {
    // What ended since the last request; no answer waits for it.
    void app.tracer?.flush(FLUSH);
    const subject = await identify(req.headersDistinct);
    if (subject === undefined && operation.right !== 'none') throw fail('UNAUTHENTICATED');
    const body = operation.method === 'POST' ? await readBody(req, res, BODY) : undefined;
    const traced = within(app, traceparent(req.get('traceparent')));
    const caller = { subject: subject ?? '', rights: rightsOf(app, subject ?? '') };
    const { build } = (await loading?.catch(() => undefined)) ?? {};
    const around = {
      app: traced,
      caller,
      agents,
      reply,
      live,
      tasks,
      console: build,
      cards,
      host,
    };
    const answer = await operation.run(around, params, req.query, body);
    if (answer !== undefined) reply.json(200, answer);
  }

  const edge = express();
  edge.disable('x-powered-by');
  edge.disable('etag');
  edge.set('query parser', 'simple');
  edge.use(async (req: Request, res: Response) => {
    const reply = new Reply(req, res, replying);
    for (const [name, value] of HEADERS) res.setHeader(name, value);
    const found = findRoute(API, req.method, req.path);
    logRequest(req, res, {
      clock,
      log: app.log,
      event: 'operator.request',
      facts: () => ({
        operation: found.kind === 'found' ? found.operation.id : undefined,
        failure: reply.failure?.code,
      }),
      trace: traceparent(req.get('traceparent')),
    });
    try {
      const unexpected = failureOfExpectation(req);
      if (unexpected !== undefined) throw new RefusedRequest(unexpected);
      if (isConsole(req)) return await serveConsole(req, res);
      const foreign = failureOfForeignPage(req, hosts);
      if (foreign !== undefined) throw new OperatorError(foreign);
      if (found.kind === 'none') throw fail('ROUTE_NOT_FOUND');
      if (found.kind === 'method')
        throw fail('METHOD_NOT_ALLOWED', `This path takes ${found.allow}.`, { allow: found.allow });
      await serve(found.operation, found.params, req, res, reply);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code === 'INTERNAL')
        app.log.write('error', 'operator request failed', { fault: faultName(error) });
      reply.fail(failure);
    }
  });
  edge.use((error: unknown, req: Request, res: Response, _next: express.NextFunction) => {
    // Only what express itself refuses comes here.
    const reply = new Reply(req, res, replying);
    if (!res.headersSent) reply.fail(failureOf(error));
  });
  return edge;
}

function isConsole({ method, path }: Request): boolean {
  return /^\/console(\/|$)/.test(path) && (method === 'GET' || method === 'HEAD');
}
