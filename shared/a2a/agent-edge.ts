import type { CardFields } from '../agent/card-fields.ts';
import type { AgentName } from '../domain/ids.ts';
import { type JsonBody, readJson } from '../http/read-json.ts';
import type { PrincipalOf } from '../ports/access.ts';
import type { Log } from '../ports/log.ts';
import { admit } from './admit.ts';
import { type Dialect, dialectOf } from './dialect.ts';
import { sseSink } from './event-sink.ts';
import type { Exchange } from './exchange.ts';
import { failureOf } from './failure.ts';
import { headerOf } from './http-request.ts';
import { A2A_TYPE, checkMediaType, JSON_TYPE } from './media-type.ts';
import { type OperationsOptions, perform } from './operations.ts';
import { isLegacyMethod } from './legacy-rpc.ts';
import { reportFault } from './report-fault.ts';
import { readRest } from './rest-request.ts';
import { restRoute, type RestCall } from './rest-route.ts';
import { openEnvelope, readRpc } from './rpc-request.ts';
import type { Call } from './schema.ts';
import { type Streamed, streamTask } from './streams.ts';
import { type StreamOptions, TaskStream } from './task-stream.ts';
import { isLegacy, type Version, versionOf } from './version.ts';

export interface AgentEdgeOptions extends OperationsOptions, StreamOptions {
  readonly versions: readonly Version[];
  readonly principalOf: PrincipalOf;
  readonly bodyLimit: number;
  readonly bodyValues: number;
  readonly log: Log;
  readonly onLegacyRefused?: () => void;
}

/** Both bindings of one agent. */
export class AgentEdge {
  readonly card: CardFields;
  readonly name: AgentName;
  readonly #options: AgentEdgeOptions;
  #legacyRefused = false;

  constructor(name: AgentName, options: AgentEdgeOptions) {
    this.name = name;
    this.card = options.card;
    this.#options = options;
  }

  serveRpc(exchange: Exchange): Promise<void> {
    return this.#serve(exchange, async ({ req }) => {
      const { versions } = this.#options;
      checkMediaType(headerOf(req, 'content-type'), [JSON_TYPE]);
      const body = await this.#body(exchange);
      const envelope = openEnvelope(exchange, body, isLegacy(req, versions));
      exchange.speaksLegacy = isLegacyMethod(envelope['method']);
      exchange.version = versionOf(req, versions);
      return readRpc(exchange, envelope);
    });
  }

  serveRest(exchange: Exchange, path: string): Promise<void> {
    return this.#serve(exchange, async ({ req }) => {
      // No version is needed to ask what a path takes; this throws what it takes.
      if (req.method === 'OPTIONS') restRoute(req.method, path);
      exchange.speaksLegacy = path.startsWith('/v1/');
      exchange.version = versionOf(req, this.#options.versions);
      const route = restRoute(req.method ?? '', path);
      exchange.operation = route.operation;
      return readRest(exchange, route, await this.#restBody(exchange, route));
    });
  }

  async #serve(exchange: Exchange, read: (exchange: Exchange) => Promise<Call>): Promise<void> {
    try {
      await this.#admit(exchange);
      await this.#carryOut(exchange, await read(exchange));
    } catch (thrown) {
      this.#failed(exchange, thrown);
    }
  }

  async #admit(exchange: Exchange): Promise<void> {
    const { headersDistinct } = exchange.req;
    exchange.identity = await admit(this.#options.principalOf, headersDistinct, this.name);
  }

  async #carryOut(exchange: Exchange, call: Call): Promise<void> {
    const options = this.#options;
    const dialect = dialectOf(exchange);
    const outcome = await perform(exchange, call, options);
    switch (outcome.kind) {
      case 'result':
        exchange.answer(dialect.result(call.operation, outcome.result));
        return;
      case 'message':
        exchange.answerWithEvent(dialect.event(outcome.response, true));
        return;
      case 'stream':
        // Not awaited here: what was asked need not be held for as long as the stream is open.
        return this.#stream(exchange, outcome.streamed, dialect);
    }
  }

  async #stream(exchange: Exchange, streamed: Streamed, dialect: Dialect): Promise<void> {
    const options = this.#options;
    const { over, res } = exchange;
    const { clock, settings } = options;
    const sink = sseSink(res, { clock, heartbeat: settings.heartbeat, signal: over.signal });
    await streamTask(
      exchange,
      options.service,
      streamed,
      ({ last, response }) => exchange.resultText(dialect.event(response, last)),
      new TaskStream(sink, over, options),
    );
    if (exchange.notification) exchange.acknowledge();
    else if (!res.writableEnded) res.end();
  }

  #failed(exchange: Exchange, thrown: unknown): void {
    const failure = failureOf(thrown);
    reportFault(this.#options.log, exchange, failure, thrown);
    exchange.fail(failure);
    const { onLegacyRefused, versions } = this.#options;
    if (failure.code !== 'VERSION_NOT_SUPPORTED' || versions.includes('0.3')) return;
    if (!exchange.speaksLegacy || this.#legacyRefused) return;
    this.#legacyRefused = true;
    onLegacyRefused?.();
  }

  #body({ body: account, req, res }: Exchange): Promise<JsonBody | undefined> {
    const { bodyLimit: limit, bodyValues: values } = this.#options;
    return readJson(req, res, { limit, values, account });
  }

  /** What a body says that the operation does not have is ignored. */
  async #restBody(exchange: Exchange, { operation, legacy }: RestCall): Promise<unknown> {
    const { req } = exchange;
    if (req.method !== 'POST' || operation === 'SubscribeToTask') return undefined;
    const length = headerOf(req, 'content-length') ?? '0';
    const empty = headerOf(req, 'transfer-encoding') === undefined && length === '0';
    if (!empty) {
      checkMediaType(headerOf(req, 'content-type'), legacy ? [JSON_TYPE] : [JSON_TYPE, A2A_TYPE]);
    }
    return (await this.#body(exchange))?.value;
  }
}
