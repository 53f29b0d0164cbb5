import type { IncomingMessage, RequestListener } from 'node:http';
import { type CardFields, cardProblems } from '../agent/card-fields.ts';
import { PUSHES } from '../app/delegation/push-of.ts';
import type { TaskService } from '../app/service.ts';
import { faultName } from '../app/wake-up.ts';
import { type AgentName, agentName } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';
import { type Access, openAccess } from '../ports/access.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Signer } from '../ports/signer.ts';
import type { Tracer } from '../ports/tracer.ts';
import { type BodyBudget, createBodyBudget } from '../http/body-budget.ts';
import { failureOfOrigin, type GuardOptions, shareWithOrigin } from '../http/guard.ts';
import { logRequest } from '../http/request-log.ts';
import { failureOfExpectation } from '../http/server.ts';
import { AgentEdge } from './agent-edge.ts';
import { type BaseUrlOptions, baseUrlOf, grpcUrlOf } from './base-url.ts';
import { type CardAround, cardOf } from './card.ts';
import { sendCard, sendPublicJson } from './card-response.ts';
import { Exchange } from './exchange.ts';
import { failureOf } from './failure.ts';
import { targetOf } from './http-request.ts';
import { tenantOfAgent } from './grpc-place.ts';
import { type OnPush, takePush } from './pushes.ts';
import { type RequestFacts, traceRequest } from './request-trace.ts';
import { CARD_KEYS, SignedCards } from './signed-cards.ts';
import type { Version } from './version.ts';

export interface A2AAppOptions extends BaseUrlOptions {
  readonly service: TaskService;
  readonly agents: readonly CardFields[];
  /** The agent at the root of the host; without one the root is empty. */
  readonly defaultAgent?: string;
  readonly settings: Pick<
    Settings,
    | 'heartbeat'
    | 'streamLife'
    | 'streamBytes'
    | 'requestBody'
    | 'requestBodies'
    | 'requestWork'
    | 'requestValues'
  >;
  readonly log: Log;
  readonly clock: Clock;
  readonly tracer?: Tracer;
  /** Also speak A2A v0.3, on the same URLs. */
  readonly v03?: boolean;
  /** Who may call; absent: everybody, as one anonymous caller. */
  readonly access?: Access;
  /** What all bindings of a process hold of request bodies; absent: a budget of its own. */
  readonly bodies?: BodyBudget;
  /** Which names and which pages may call. */
  readonly guard?: GuardOptions;
  /** Remote agents may push here; without it there is nothing at that path. */
  readonly onPush?: OnPush;
  /**
   * Keys that sign the cards. They need a base URL: a card that is made for the Host of a request
   * would be signed for a host that any caller names.
   */
  readonly cardSigners?: readonly Signer[];
  /** Told once, when a client of v0.3 is refused because only 1.0 is spoken. */
  readonly onLegacyRefused?: () => void;
  /** Refuse message parts of a media type that the card does not name. */
  readonly checkInputModes?: boolean;
  /**
   * Aborts when the process is about to go: open streams then end as planned, blocking calls answer
   * with what there is.
   */
  readonly closing?: AbortSignal;
}

const CARD = '/.well-known/agent-card.json';

/** The whole A2A edge: each agent under /agents/{name}, the default one at the root too. */
export function createA2AApp(options: A2AAppOptions): RequestListener {
  const { clock, log, settings, defaultAgent, guard = {}, access = openAccess } = options;
  const versions: readonly Version[] = options.v03 === true ? ['1.0', '0.3'] : ['1.0'];
  const modified = new Date(clock.now());
  const signed = signedCards(options);
  const {
    bodies = createBodyBudget({ held: settings.requestBodies, worked: settings.requestWork }),
  } = options;
  const { security } = access;
  const grpcOf = (agent: string, prefix: string, req?: IncomingMessage): CardAround['grpc'] => {
    const url = grpcUrlOf(options, req);
    return url === undefined ? undefined : { url, ...(prefix && { tenant: tenantOfAgent(agent) }) };
  };
  const aroundOf = (agent: string, prefix: string, req: IncomingMessage): CardAround => ({
    url: `${baseUrlOf(req, options)}${prefix}`,
    grpc: grpcOf(agent, prefix, req),
    security,
  });
  const edges = new Map<string, AgentEdge>();
  for (const card of options.agents) {
    const name = checked(card);
    edges.set(
      name,
      new AgentEdge(name, {
        service: options.service,
        card,
        clock,
        log,
        settings,
        versions,
        principalOf: access.principalOf,
        bodyLimit: settings.requestBody,
        bodyValues: settings.requestValues,
        checkInputModes: options.checkInputModes === true,
        ...(options.onLegacyRefused && { onLegacyRefused: options.onLegacyRefused }),
        ...(options.closing === undefined ? {} : { closing: options.closing }),
      }),
    );
  }
  if (defaultAgent !== undefined && !edges.has(defaultAgent)) {
    throw new Error(`The default agent ${defaultAgent} is not among the agents.`);
  }

  if (signed !== undefined) {
    // At start, so that a key that can't be used is known before a client asks for a card.
    for (const { card, name } of edges.values()) {
      for (const prefix of name === defaultAgent ? ['', agentPath(name)] : [agentPath(name)]) {
        const url = `${(options.baseUrl ?? '').replace(/\/+$/, '')}${prefix}`;
        signed
          .signed(cardOf(card, { url, grpc: grpcOf(name, prefix), security }, versions))
          .catch((error: unknown) => {
            log.write('error', 'card not signed', { agent: name, fault: faultName(error) });
          });
      }
    }
  }

  const serve = async (exchange: Exchange, edge: AgentEdge | undefined, where: Location) => {
    const { req, res } = exchange;
    const { path, prefix } = where;
    const refused = failureOfExpectation(req) ?? failureOfOrigin(req, guard);
    if (shareWithOrigin(req, res, guard)) return;
    if (refused !== undefined) {
      exchange.fail(refused);
    } else if (options.onPush !== undefined && exchange.target.path === PUSHES) {
      exchange.operation = 'Push';
      if (allowed(exchange, ['POST'])) await takePush(exchange, options.onPush, log);
    } else if (signed !== undefined && exchange.target.path === CARD_KEYS) {
      exchange.operation = 'CardKeys';
      if (!allowed(exchange, ['GET', 'HEAD'])) return;
      sendPublicJson(req, res, { document: await signed.keys(), modified });
    } else if (edge === undefined) {
      exchange.fail({ code: 'ROUTE_NOT_FOUND', message: 'There is nothing at this path.' });
    } else if (path === CARD) {
      exchange.operation = 'AgentCard';
      if (!allowed(exchange, ['GET', 'HEAD'])) return;
      const around = { ...aroundOf(edge.name, prefix, req), versions, modified };
      await sendCard(req, res, { fields: edge.card, ...around, ...(signed && { signed }) });
    } else {
      exchange.cardAround = () => ({ around: aroundOf(edge.name, prefix, req), versions });
      if (exchange.binding === 'jsonrpc') return edge.serveRpc(exchange);
      if (path !== '/' || allowed(exchange, ['POST'])) return edge.serveRest(exchange, path);
    }
  };

  return (req, res) => {
    const where = locate(targetOf(req).path);
    const edge = edges.get(where.agent ?? defaultAgent ?? '');
    const binding = req.method === 'POST' && where.path === '/' ? 'jsonrpc' : 'rest';
    const exchange = new Exchange(edge?.name, binding, { req, res, clock, body: bodies.open() });
    const facts = () => factsOf(exchange);
    exchange.trace = traceRequest(req, res, facts, { clock, tracer: options.tracer });
    logRequest(req, res, { clock, log, event: 'a2a.request', facts, trace: exchange.trace });
    serve(exchange, edge, where).catch((error: unknown) => {
      exchange.fail(failureOf(error));
    });
  };
}

function signedCards({ baseUrl, cardSigners = [] }: A2AAppOptions): SignedCards | undefined {
  if (cardSigners.length === 0) return undefined;
  if (baseUrl === undefined) throw new Error('A card is signed for one base URL, and none is set.');
  return new SignedCards(cardSigners, baseUrl);
}

function checked(card: CardFields): AgentName {
  const problems = cardProblems(card);
  const name = agentName(card.name);
  if (name === undefined || problems.length > 0) {
    throw new Error(
      `The agent ${JSON.stringify(card.name)} has no valid card: ${problems.join(' ')}`,
    );
  }
  return name;
}

interface Location {
  readonly agent?: string;
  /** Of the agent's URL within the host. */
  readonly prefix: string;
  readonly path: string;
}

const agentPath = (name: string): string => `/agents/${name}`;

function locate(path: string): Location {
  const [, agent, rest] = /^\/agents\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (agent === undefined) return { prefix: '', path };
  return { agent, prefix: agentPath(agent), path: rest ?? '/' };
}

function allowed(exchange: Exchange, methods: readonly string[]): boolean {
  if (methods.includes(exchange.req.method ?? '')) return true;
  const allow = methods.join(', ');
  exchange.fail({ code: 'HTTP_METHOD_NOT_ALLOWED', message: `This path takes ${allow}.`, allow });
  return false;
}

function factsOf({ agent, operation, version, failure }: Exchange): RequestFacts {
  return { agent, operation, version, failure: failure?.code };
}
