import { z } from 'zod';
import { ContextTooLong, ModelFault } from '../model-fault.ts';
import { RetryLater } from '../retry-later.ts';

/**
 * APICallError of any version of the specification, by what it has: a class may be another copy.
 */
const apiCallError = z.object({
  name: z.literal('AI_APICallError'),
  statusCode: z.number().optional(),
  isRetryable: z.boolean().optional(),
  responseHeaders: z.record(z.string(), z.string()).optional(),
  responseBody: z.string().optional(),
});
type ApiCallError = z.infer<typeof apiCallError>;

/**
 * What a provider's error means. A fault that may pass (429, 5xx, a line that is down, an answer
 * that was cut off) is RetryLater, with the delay that the provider asks for; everything else is
 * ModelFault.
 */
export function modelErrorOf(model: string, error: unknown): RetryLater | ModelFault {
  const words = error instanceof Error ? error.message : String(error);
  const parsed = apiCallError.safeParse(error);
  if (!parsed.success) {
    const Fault = TOO_LONG.test(words) ? ContextTooLong : ModelFault;
    return new Fault(model, words, { cause: error });
  }
  const { statusCode: status } = parsed.data;
  const refused = { cause: error, ...(status !== undefined && { status }) };
  if (isTooLong(words, parsed.data)) return new ContextTooLong(model, words, refused);
  if (!mayPass(parsed.data)) return new ModelFault(model, words, refused);
  const delay = delayOf(parsed.data);
  return new RetryLater(`${model}: ${status ?? 'no answer'}`, {
    cause: error,
    ...(delay !== undefined && { delay }),
  });
}

/**
 * No provider has a status of its own for it; these are their words: OpenAI's code (and that of
 * most servers that speak its protocol), Anthropic, Gemini, Vertex AI, llama.cpp.
 */
const TOO_LONG =
  /context_length_exceeded|request_too_large|maximum context length|exceeds? the context|prompt is too long|exceed context limit|input token count|available context size/i;

function isTooLong(words: string, { responseBody = '', statusCode }: ApiCallError): boolean {
  if (statusCode === 413) return true;
  return statusCode === 400 && TOO_LONG.test(`${words} ${responseBody}`);
}

/**
 * What is reported in the middle of a stream: an error in a form of the package, the provider's own
 * object, or a line that broke.
 */
const reported = z.object({
  message: z.string().nullish(),
  type: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
  statusCode: z.number().nullish(),
  isRetryable: z.boolean().nullish(),
});

/** Words for faults of the request itself: it will fail as often as it is made. */
const LASTING =
  /^(?:invalid|authentication|permission|not_found|request_too_large|context_length|billing)/i;

/**
 * What an error in the middle of a stream means. The provider had taken the request, so it may pass
 * unless the provider says that it will not.
 */
export function streamErrorOf(model: string, error: unknown): RetryLater | ModelFault {
  if (error instanceof RetryLater || error instanceof ModelFault) return error;
  if (error instanceof RangeError) return new ModelFault(model, error.message, { cause: error });
  if (apiCallError.safeParse(error).success) return modelErrorOf(model, error);
  const { code, isRetryable, message, statusCode, type } = reported.safeParse(error).data ?? {};
  const words = message ?? String(error);
  const status = statusCode ?? (typeof code === 'number' ? code : undefined);
  if ([undefined, 400].includes(status) && TOO_LONG.test(`${type} ${code} ${words}`))
    return new ContextTooLong(model, words, { cause: error });
  const lasts =
    status === undefined
      ? [type, code].some((word) => LASTING.test(String(word ?? '')))
      : !mayPass({ statusCode: status, ...(isRetryable === true && { isRetryable }) });
  if (lasts)
    return new ModelFault(model, words, { cause: error, ...(status !== undefined && { status }) });
  const delay = delayOf({ responseBody: bodyOf(error) });
  return new RetryLater(`${model}: broke off, ${words}`, {
    cause: error,
    ...(delay !== undefined && { delay }),
  });
}

/** Where Google says how long to wait. */
function bodyOf(error: unknown): string {
  return error instanceof Error ? '' : JSON.stringify(error);
}

function mayPass({
  isRetryable = false,
  statusCode: status,
}: Pick<ApiCallError, 'isRetryable' | 'statusCode'>): boolean {
  // A 2xx that is an error: its body was no answer, most often because it was cut off.
  if (status !== undefined && status >= 200 && status < 300) return true;
  return isRetryable || status === 429 || (status !== undefined && status >= 500);
}

const HOUR = 60 * 60 * 1_000;

/** Milliseconds that the provider asks to wait; undefined if it says nothing. */
function delayOf({
  responseBody = '',
  responseHeaders = {},
}: Pick<ApiCallError, 'responseBody' | 'responseHeaders'>): number | undefined {
  const headers = new Map(
    Object.entries(responseHeaders).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return Math.min(milliseconds, HOUR);
  const after = headers.get('retry-after');
  if (after !== undefined) return afterOf(after, headers.get('date'));
  // google.rpc.RetryInfo, which Google's APIs send in the place of a header.
  const [, seconds] = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(responseBody) ?? [];
  return seconds === undefined ? undefined : Math.min(Number(seconds) * 1_000, HOUR);
}

/** Seconds, or a date, which is measured by the provider's own clock (RFC 9110, 10.2.3). */
function afterOf(after: string, date: string | undefined): number | undefined {
  const seconds = Number(after);
  if (seconds >= 0) return Math.min(seconds * 1_000, HOUR);
  const span = Date.parse(after) - Date.parse(date ?? '');
  return Number.isFinite(span) ? Math.min(Math.max(span, 0), HOUR) : undefined;
}
