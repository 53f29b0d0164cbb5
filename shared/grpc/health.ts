import { fail } from '../a2a/failure.ts';
import { decodeRequest, encode } from './codec.ts';

/** The check that load balancers and orchestrators make of a gRPC server. */
export const HEALTH = '/grpc.health.v1.Health/Check';

const SERVING = 1;
const NOT_SERVING = 2;
/** The server as a whole, and its one service. */
const SERVICES: readonly unknown[] = [undefined, 'lf.a2a.v1.A2AService'];

/** Answers a check. Throws EdgeError for a service that is not here. */
export function healthOf(request: Uint8Array, closing: boolean): Uint8Array {
  const { service } = decodeRequest('grpc.health.v1.HealthCheckRequest', request);
  if (!SERVICES.includes(service)) throw fail('ROUTE_NOT_FOUND', 'There is no such service.');
  return encode('grpc.health.v1.HealthCheckResponse', { status: closing ? NOT_SERVING : SERVING });
}
