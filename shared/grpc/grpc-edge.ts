import { admit } from '../a2a/admit.ts';
import type { A2AAppOptions } from '../a2a/app.ts';
import { fail, invalidParams } from '../a2a/failure.ts';
import { grpcUrlOf, hostOf } from '../a2a/base-url.ts';
import type { CardAround } from '../a2a/card.ts';
import { withoutDraft } from '../a2a/draft.ts';
import { placeOf, tenantOfAgent } from '../a2a/grpc-place.ts';
import { type OperationsOptions, perform } from '../a2a/operations.ts';
import { type Call, parseCall } from '../a2a/schema.ts';
import { type StreamEvent, type Streamed, streamTask } from '../a2a/streams.ts';
import { TaskStream } from '../a2a/task-stream.ts';
import { tenantOf } from '../a2a/tenant.ts';
import { checkedVersion, type Version } from '../a2a/version.ts';
import type { CardFields } from '../agent/card-fields.ts';
import { type AgentName, agentName } from '../domain/ids.ts';
import { isJsonObject, isTooDeep, type Json, type JsonObject, MAX_DEPTH } from '../domain/json.ts';
import { failureOfOrigin } from '../http/guard.ts';
import { openAccess } from '../ports/access.ts';
import { callSink } from './call-sink.ts';
import { decodeRequest, encode } from './codec.ts';
import { countFields } from './count-fields.ts';
import type { GrpcCall } from './grpc-call.ts';
import { HEALTH, healthOf } from './health.ts';
import { type Method, methodAt } from './methods.ts';
import { typeNamed } from './proto-types.ts';
import { readMessage } from './read-message.ts';

/** A member of a JSON object is an entry, its key, its value, and what that holds. */
const FIELDS = 4;

interface Agent {
  readonly name: AgentName;
  readonly card: CardFields;
}

/** Serves the calls of all agents. */
export class GrpcEdge {
  readonly #options: A2AAppOptions;
  readonly #agents: ReadonlyMap<string, Agent>;

  constructor(options: A2AAppOptions) {
    this.#options = options;
    this.#agents = new Map(
      options.agents.flatMap((card) => {
        const name = agentName(card.name);
        return name === undefined ? [] : [[name, { name, card: withoutDraft(card) }] as const];
      }),
    );
  }

  /** Answers a call. Throws what refuses it. */
  async serve(call: GrpcCall): Promise<void> {
    const { closing, guard = {} } = this.#options;
    const { headers } = call;
    const path = headers[':path'] ?? '';
    const { ':authority': host = '', origin } = headers;
    const refused = failureOfOrigin({ headers: { host, ...(origin && { origin }) } }, guard);
    if (refused !== undefined) return call.fail(refused);
    if (path === HEALTH) {
      call.operation = 'Health';
      call.send(healthOf(await this.#message(call), closing?.aborted === true));
      return call.end();
    }
    const method = methodAt(path);
    if (method === undefined) throw fail('METHOD_NOT_FOUND', 'A2A 1.0 has no such method.');
    call.operation = method.operation;
    // Whom a call is for stands in its message, and who sends it is asked before that is read.
    await this.#admit(call, this.#agent(undefined));
    call.version = checkedVersion(call.header('a2a-version')?.trim() || '0.3', ['1.0']);
    const request = await this.#request(call, method);
    const agent = this.#place(call, request);
    const parsed = parseCall(method.operation, { ...request, tenant: call.tenant });
    if ('violations' in parsed) throw invalidParams(parsed.violations);
    return this.#carryOut(call, parsed, method, agent);
  }

  #agent(name = this.#options.defaultAgent ?? ''): Agent {
    const agent = this.#agents.get(name);
    if (agent === undefined) throw fail('ROUTE_NOT_FOUND', 'There is no agent of that name.');
    return agent;
  }

  async #admit(call: GrpcCall, { name }: Agent): Promise<void> {
    const { access = openAccess } = this.#options;
    call.identity = await admit(access.principalOf, call.metadata, name);
    call.agent = name;
  }

  get #versions(): readonly Version[] {
    return this.#options.v03 === true ? ['1.0', '0.3'] : ['1.0'];
  }

  /** Where HTTP is spoken is known by the base URL alone: a call came to another port. */
  #around(call: GrpcCall, { name }: Agent): CardAround {
    const { access = openAccess, baseUrl, defaultAgent } = this.#options;
    const first = name === defaultAgent;
    return {
      ...(baseUrl !== undefined && {
        url: `${baseUrl.replace(/\/+$/, '')}${first ? '' : `/agents/${name}`}`,
      }),
      grpc: {
        url: grpcUrlOf(this.#options) ?? hostOf(call.headers[':authority']),
        ...(!first && { tenant: tenantOfAgent(name) }),
      },
      security: access.security,
    };
  }

  #message(call: GrpcCall): Promise<Uint8Array> {
    const { clock, settings } = this.#options;
    return readMessage(call.stream, call.header('grpc-encoding') ?? 'identity', {
      account: call.body,
      clock,
      limit: settings.requestBody,
    });
  }

  async #request(call: GrpcCall, { request }: Method): Promise<JsonObject> {
    const bytes = await this.#message(call);
    const { requestValues: most } = this.#options.settings;
    if (countFields(typeNamed(request), bytes) > most * FIELDS) {
      const message = `The message holds more than ${most} values; send a table as a file (raw).`;
      throw fail('TOO_MANY_VALUES', message);
    }
    const json = decodeRequest(request, bytes);
    if (!isTooDeep(json)) return json;
    throw fail('TOO_DEEP', `The message is nested deeper than ${MAX_DEPTH} levels.`);
  }

  #place(call: GrpcCall, request: JsonObject): Agent {
    const named = request['tenant'];
    const place = placeOf(typeof named === 'string' ? named : '');
    call.tenant = tenantOf(undefined, place.tenant);
    return this.#agent(place.agent);
  }

  async #carryOut(call: GrpcCall, parsed: Call, method: Method, agent: Agent): Promise<void> {
    if (agent.name !== call.agent) await this.#admit(call, agent);
    const { checkInputModes = false, closing, service } = this.#options;
    const options: OperationsOptions = {
      card: agent.card,
      service,
      checkInputModes,
      ...(closing !== undefined && { closing }),
    };
    call.cardAround = () => ({ around: this.#around(call, agent), versions: this.#versions });
    const outcome = await perform(call, parsed, options);
    switch (outcome.kind) {
      case 'result':
        call.send(encode(method.response, outcome.result));
        return call.end();
      case 'message':
        call.send(encode(method.response, outcome.response));
        return call.end();
      case 'stream':
        // Not awaited here: what was asked need not be held for as long as the stream is open.
        return this.#stream(call, outcome.streamed, method.response);
    }
  }

  async #stream(call: GrpcCall, streamed: Streamed, response: string): Promise<void> {
    const encoded = (event: StreamEvent) => encode(response, withPosition(event));
    const stream = new TaskStream(callSink(call), call.over, this.#options);
    await streamTask(call, this.#options.service, streamed, encoded, stream);
    call.end();
  }
}

/**
 * There is no place beside a message as there is in a stream of server-sent events, so its position
 * is in its metadata.
 */
function withPosition({ response, seq }: StreamEvent): JsonObject {
  if (seq === undefined) return response;
  const placed = Object.entries(response).map(([kind, event]): [string, Json] => {
    if (!isJsonObject(event)) return [kind, event];
    const { metadata } = event;
    const known = metadata !== undefined && isJsonObject(metadata) ? metadata : {};
    return [kind, { ...event, metadata: { ...known, eventId: seq } }];
  });
  return Object.fromEntries(placed);
}
