import { z } from 'zod';

/** A2A 1.0.1 section 5.4; HTTP+JSON names an error by its reason. */
const CODES: Readonly<Record<string, number>> = {
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  INVALID_AGENT_RESPONSE: -32006,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: -32007,
  EXTENSION_SUPPORT_REQUIRED: -32008,
  VERSION_NOT_SUPPORTED: -32009,
  INVALID_PARAMS: -32602,
};

const code = z.int().min(-32_768).max(-32_000);

const rpcError = z
  .object({
    jsonrpc: z.literal('2.0'),
    error: z.object({ code }),
    // An answer with both says nothing.
    result: z.undefined().optional(),
  })
  .transform(({ error }) => error.code);

const restError = z
  .object({
    error: z.object({ details: z.array(z.looseObject({ reason: z.unknown().optional() })) }),
  })
  .transform(({ error }) => {
    const reasons = error.details.map(({ reason }) => (typeof reason === 'string' ? reason : ''));
    const known = reasons.find((reason) => Object.hasOwn(CODES, reason));
    return known === undefined ? undefined : CODES[known];
  });

/** HTTP+JSON of v0.3. */
const legacyRestError = z
  .object({ code, message: z.string() })
  .transform((error): number => error.code);

const anyError = z.union([rpcError, restError, legacyRestError]);

/**
 * The A2A code of an error as JSON-RPC counts it, by whichever binding it came; undefined: no A2A
 * error.
 */
export function a2aCodeOf(body: unknown): number | undefined {
  const parsed = anyError.safeParse(body);
  return parsed.success ? parsed.data : undefined;
}
