import { request } from './browser.ts';
import { forget, session } from './session.ts';

/** What the server answered instead of what was asked for, in its own words. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  readonly field: string | undefined;

  constructor(status: number, code: string, message: string, field?: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string; readonly field?: string };
}

/** Of one server: its schemas were checked there, and `path` says which it is. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await send(path, { method: 'GET', ...(signal && { signal }) });
  return (await response.json()) as T;
}

export async function post<T>(path: string, body: object): Promise<T> {
  const response = await send(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });
  return (await response.json()) as T;
}

/** The response itself, for what comes as a stream. Throws Refusal. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = session.get();
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  // Identity-Aware Proxy then answers 401 and does not lead to its sign-in page.
  headers.set('X-Requested-With', 'XMLHttpRequest');
  let response: Response;
  try {
    response = await request(path, { ...init, headers });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Refusal(0, 'NOT_REACHED', 'The server does not answer. Is it running?');
  }
  if (response.ok) return response;
  if (response.status === 401) forget(token);
  throw await refusalOf(response);
}

/** It may be otherwise in a moment: the server, or what stands before it, was away. */
export const isPassing = ({ status }: Refusal): boolean => [0, 502, 503, 504].includes(status);

async function refusalOf(response: Response): Promise<Refusal> {
  const { status } = response;
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  const { code = `HTTP_${status}`, field, message } = body.error ?? {};
  return new Refusal(status, code, message ?? `The server answered ${status}.`, field);
}
