/** Whatever listens: the edge over a fake application, or the whole system. */
export interface Served {
  readonly url: string;
}

export type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  readonly headers: globalThis.Headers;
  readonly text: string;
  /** The parsed body; undefined where it is not JSON. */
  readonly body: Json;
}

/** Only for assertions, which name what they expect. */
export type Json = Readonly<Record<string, unknown>> | undefined;

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') === true && text !== '';
  const body = json ? (JSON.parse(text) as Json) : undefined;
  return { status: response.status, headers: response.headers, text, body };
}

const V1: Headers = { 'A2A-Version': '1.0' };

export async function request(
  { url }: Served,
  method: string,
  path: string,
  body?: unknown,
  headers: Headers = {},
): Promise<Answer> {
  const type: Headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return answerOf(
    await fetch(`${url}${path}`, {
      method,
      headers: { ...V1, ...type, ...headers },
      ...(body === undefined ? {} : { body: text }),
    }),
  );
}

/** A JSON-RPC call with id 1. */
export function rpc(
  server: Served,
  method: string,
  params?: unknown,
  headers: Headers = {},
): Promise<Answer> {
  return request(server, 'POST', '/', { jsonrpc: '2.0', id: 1, method, params }, headers);
}

/** Parameters of a send, with more fields of the message. */
export function say(text: string, more: object = {}): { readonly message: object } {
  return { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text }], ...more } };
}

/** The ErrorInfos and field violations of an error of either binding. */
export function detailsOf(body: Json): {
  readonly reasons: readonly string[];
  readonly fields: readonly string[];
} {
  const error = (body?.['error'] ?? body) as Record<string, unknown>;
  const details = (error['details'] ?? error['data'] ?? []) as Record<string, unknown>[];
  return {
    reasons: details.flatMap(({ domain, reason }) =>
      typeof reason === 'string' ? [`${String(domain)}/${reason}`] : [],
    ),
    fields: details.flatMap(({ fieldViolations = [] }) =>
      (fieldViolations as { field: string }[]).map(({ field }) => field),
    ),
  };
}
