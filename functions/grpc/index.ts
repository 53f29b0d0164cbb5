import { createGrpcApp } from '../../shared/grpc/grpc-app.ts';
import { grpcServer } from '../../shared/grpc/grpc-server.ts';
import { openEdge } from '../a2a/open-edge.ts';
import { endOnSignals } from '../drain.ts';

/**
 * The public edge over gRPC, as a Cloud Run service of its own: the functions framework serves
 * HTTP/1.1 alone. Cloud Run hands it HTTP/2 without TLS at PORT.
 */
const { edge, drain, port } = await openEdge('grpc');
const server = grpcServer(createGrpcApp(edge), {
  clock: edge.clock,
  heartbeat: edge.settings.heartbeat,
});
endOnSignals(drain, (ended) => server.close(ended));
server.listen(port, () => {
  // As the framework: a word where a person looks on, and silence in production.
  if (process.env['NODE_ENV'] !== 'production') process.stdout.write('Serving gRPC\n');
});
