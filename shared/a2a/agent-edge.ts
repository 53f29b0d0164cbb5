import { AgentCard } from '@a2a-js/sdk';
import { jsonRpcHandler, restHandler } from '@a2a-js/sdk/server/express';
import type { NextFunction, Request, RequestHandler as Middleware } from 'express';
import type { CardFields } from '../agent/card-fields.ts';
import type { AgentName } from '../domain/ids.ts';
import type { BodyBudget } from '../http/body-budget.ts';
import { readJson } from './body.ts';
import { Caller } from './caller.ts';
import { cardOf } from './card.ts';
import type { Exchange } from './exchange.ts';
import { fail, failureOf } from './failure.ts';
import { RequestHandler, type HandlerOptions } from './handler.ts';
import { A2A_TYPE, checkMediaType, JSON_TYPE } from './media-type.ts';
import type { NoEntry, PrincipalOf } from './principal-of.ts';
import { quietly } from './quiet-console.ts';
import { shapeReplies } from './replies.ts';
import { readRest } from './rest-request.ts';
import { restRoute, type RestCall } from './rest-route.ts';
import { openEnvelope, readRpc } from './rpc-request.ts';
import { isLegacy, type Version, versionOf } from './version.ts';

export interface AgentEdgeOptions extends Omit<HandlerOptions, 'card' | 'agentCard'> {
  readonly versions: readonly Version[];
  readonly principalOf: PrincipalOf;
  readonly bodyLimit: number;
  readonly bodies: BodyBudget;
}

/** Both bindings of one agent: everything is checked and refused here, then the SDK's handlers take the request. */
export class AgentEdge {
  readonly card: CardFields;
  readonly name: AgentName;
  readonly #options: AgentEdgeOptions;
  readonly #rpc: Middleware;
  readonly #rest: Middleware;
  readonly #callers = new WeakMap<Request, Caller>();

  constructor(name: AgentName, card: CardFields, options: AgentEdgeOptions) {
    this.name = name;
    this.card = card;
    this.#options = options;
    const { versions } = options;
    const agentCard = AgentCard.fromJSON(cardOf(card, 'http://localhost', versions));
    const sdk = {
      requestHandler: new RequestHandler({ ...options, card, agentCard }),
      userBuilder: (req: Request) => Promise.resolve(this.#callerOf(req)),
      legacyCompat: { enabled: versions.includes('0.3') },
    };
    this.#rpc = jsonRpcHandler(sdk);
    this.#rest = restHandler(sdk);
  }

  async serveRpc(exchange: Exchange): Promise<void> {
    await this.#serve(exchange, this.#rpc, async ({ req }) => {
      checkMediaType(req.get('content-type'), [JSON_TYPE]);
      const { versions } = this.#options;
      const envelope = openEnvelope(exchange, await this.#body(exchange), isLegacy(req, versions));
      exchange.version = versionOf(req, versions);
      req.url = '/';
      req.body = readRpc(exchange, envelope);
      req.headers['content-type'] = JSON_TYPE;
    });
  }

  async serveRest(exchange: Exchange, path: string): Promise<void> {
    await this.#serve(exchange, this.#rest, async ({ req }) => {
      exchange.version = versionOf(req, this.#options.versions);
      const call = restRoute(req.method, path);
      exchange.operation = call.operation;
      const { url, body } = readRest(exchange, call, await this.#restBody(exchange, call));
      req.url = url;
      req.body = body;
    });
  }

  async #serve(
    exchange: Exchange,
    handler: Middleware,
    prepare: (exchange: Exchange) => Promise<void>,
  ): Promise<void> {
    const { req, res } = exchange;
    try {
      await this.#admit(exchange);
      await prepare(exchange);
      // The SDK compares this header with the card letter by letter.
      req.headers['a2a-version'] = exchange.version;
      this.#callers.set(req, new Caller(exchange));
      shapeReplies(exchange);
      const rest: NextFunction = (error?: unknown) => {
        exchange.fail(
          error === undefined
            ? { code: 'ROUTE_NOT_FOUND', message: 'There is nothing at this path.' }
            : failureOf(error),
        );
      };
      quietly(this.#options.log, () => handler(req, res, rest));
    } catch (thrown) {
      exchange.fail(failureOf(thrown));
    }
  }

  async #admit(exchange: Exchange): Promise<void> {
    const answer = await this.#options.principalOf(exchange.req, this.name);
    if ('kind' in answer) throw noEntry(answer);
    exchange.identity = answer;
  }

  #body({ req, res }: Exchange): Promise<unknown> {
    const { bodies, bodyLimit: limit } = this.#options;
    const account = bodies.open();
    res.once('close', () => account.release());
    return readJson(req, res, { limit, account });
  }

  /** What a body says that the operation does not have is ignored. */
  async #restBody(exchange: Exchange, { operation, legacy }: RestCall): Promise<unknown> {
    const { req } = exchange;
    const takesBody = req.method === 'POST' && operation !== 'SubscribeToTask';
    const length = req.get('content-length');
    const empty = req.get('transfer-encoding') === undefined && (length ?? '0') === '0';
    if (takesBody && !empty) {
      checkMediaType(req.get('content-type'), legacy ? [JSON_TYPE] : [JSON_TYPE, A2A_TYPE]);
    }
    const type = exchange.jsonType;
    const body = takesBody ? await this.#body(exchange) : undefined;
    // Judged already; the SDK must not look at it again, nor read a body that the operation does not have.
    req.headers['content-type'] = type;
    if (!takesBody) {
      delete req.headers['content-length'];
      delete req.headers['transfer-encoding'];
    }
    return body;
  }

  #callerOf(req: Request): Caller {
    const caller = this.#callers.get(req);
    if (caller === undefined) throw new TypeError('a request reached the SDK without an exchange');
    return caller;
  }
}

function noEntry({ kind, message, challenge, retryAfter }: NoEntry): Error {
  const code =
    kind === 'unauthenticated'
      ? 'UNAUTHENTICATED'
      : kind === 'forbidden'
        ? 'PERMISSION_DENIED'
        : 'QUOTA_EXCEEDED';
  return fail(code, message, {
    ...(challenge === undefined ? {} : { challenge }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}
