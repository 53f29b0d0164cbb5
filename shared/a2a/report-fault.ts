import { faultName } from '../app/wake-up.ts';
import type { Traceparent } from '../domain/trace-context.ts';
import type { Log } from '../ports/log.ts';
import { EdgeError, type Failure } from './failure.ts';

interface Asked {
  readonly agent?: string | null | undefined;
  readonly operation: string;
  readonly trace: Traceparent | undefined;
}

/** Says in the log what failed for a reason of this server, and not of its caller or of a limit. */
export function reportFault(
  log: Log,
  { agent = null, operation, trace }: Asked,
  failure: Failure,
  thrown: unknown,
): void {
  const refusedHere = 'retryAfter' in failure && failure.close === true;
  const ours = ['INTERNAL', 'IDENTITY_UNAVAILABLE', 'UNAVAILABLE'].includes(failure.code);
  if (!ours || refusedHere) return;
  const cause = thrown instanceof EdgeError ? (thrown.cause ?? thrown) : thrown;
  log.write('error', 'a2a.fault', { agent, operation, fault: faultName(cause) }, trace);
}
