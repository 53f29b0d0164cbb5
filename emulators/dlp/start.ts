import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { deidentify } from './deidentify.ts';
import { type DeidentifyRequest, parseRequest } from './request.ts';

/**
 * Instead of an answer: an error with this status, a body of this text with 200, no answer, or a
 * broken connection.
 */
export type DlpFault =
  | { readonly status: number; readonly message?: string }
  | { readonly body: string }
  | 'silence'
  | 'reset';

export interface DlpCall {
  readonly path: string;
  readonly bytes: number;
  readonly request: DeidentifyRequest;
}

export interface DlpEmulator {
  readonly url: string;
  /** The calls that were well formed, those that met a fault included. */
  readonly calls: readonly DlpCall[];
  /** What the next calls meet, one each; afterwards all is well. */
  plan(...faults: readonly DlpFault[]): void;
  close(): Promise<void>;
}

const PATH = /^\/v2\/projects\/[^/]+\/locations\/[^/]+\/content:deidentify$/;
const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** `content:deidentify` of Sensitive Data Protection's REST API, with two detectors. */
export async function startDlpEmulator(): Promise<DlpEmulator> {
  const calls: DlpCall[] = [];
  const faults: DlpFault[] = [];

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const { method, url: path = '' } = incoming;
    if (method !== 'POST' || !PATH.test(path)) return refuse(response, 404, 'Not found.');
    if (!/^application\/json\b/.test(incoming.headers['content-type'] ?? '')) {
      return refuse(response, 400, 'The body is no JSON.');
    }
    const request = parseRequest(body);
    if (typeof request === 'string') return refuse(response, 400, request);
    calls.push({ path, bytes: body.length, request });
    const fault = faults.shift();
    if (fault !== undefined) return meet(response, fault);
    const answer = deidentify(request);
    if (typeof answer === 'string') return refuse(response, 400, answer);
    send(response, 200, JSON.stringify(answer));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    plan: (...next) => {
      faults.splice(0, faults.length, ...next);
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function meet(response: ServerResponse, fault: DlpFault): void {
  if (fault === 'silence') return;
  if (fault === 'reset') {
    response.destroy();
    return;
  }
  if ('body' in fault) send(response, 200, fault.body);
  else refuse(response, fault.status, fault.message ?? 'Planned fault.');
}

/** https://cloud.google.com/apis/design/errors#http_mapping */
function refuse(response: ServerResponse, code: number, message: string): void {
  const error = { code, message, status: STATUS[code] ?? 'UNKNOWN' };
  send(response, code, JSON.stringify({ error }));
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' });
  response.end(body);
}
