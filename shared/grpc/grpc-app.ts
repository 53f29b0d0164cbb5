import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { A2AAppOptions } from '../a2a/app.ts';
import { ERRORS } from '../a2a/error-table.ts';
import { failureOf } from '../a2a/failure.ts';
import { reportFault } from '../a2a/report-fault.ts';
import { traceRequest } from '../a2a/request-trace.ts';
import { createBodyBudget } from '../http/body-budget.ts';
import { logRequest } from '../http/request-log.ts';
import { GrpcCall } from './grpc-call.ts';
import { GrpcEdge } from './grpc-edge.ts';

export type ServeStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

/**
 * The third binding (A2A section 10): the same agents, operations, errors and limits as over HTTP,
 * as streams of HTTP/2.
 */
export function createGrpcApp(options: A2AAppOptions): ServeStream {
  const { clock, log, settings } = options;
  const { requestBodies: held, requestWork: worked } = settings;
  const { bodies = createBodyBudget({ held, worked }) } = options;
  const edge = new GrpcEdge(options);
  return (stream, headers) => {
    const call = new GrpcCall(stream, { headers, clock, body: bodies.open() });
    if (!speaksGrpc(call)) return;
    const request = { headers, method: 'POST' };
    const ending = endingOf(call);
    const facts = () => {
      const { agent, failure, operation, version } = call;
      return { agent, operation, version, failure: failure?.code };
    };
    call.trace = traceRequest(request, ending, facts, { clock, tracer: options.tracer });
    logRequest(request, ending, { clock, log, event: 'a2a.request', facts, trace: call.trace });
    edge.serve(call).catch((thrown: unknown) => {
      const failure = failureOf(thrown);
      reportFault(log, call, failure, thrown);
      call.fail(failure);
    });
  };
}

/** What is no call of gRPC is told so in HTTP (gRPC over HTTP/2, Requests). */
function speaksGrpc({ headers, stream }: GrpcCall): boolean {
  const grpc = headers['content-type']?.startsWith('application/grpc') === true;
  if (grpc && headers[':method'] === 'POST') return true;
  stream.respond({ ':status': grpc ? 405 : 415 }, { endStream: true });
  stream.close(constants.NGHTTP2_NO_ERROR);
  return false;
}

function endingOf(call: GrpcCall) {
  const { stream } = call;
  return {
    on: (event: 'close', listener: () => void) => stream.once(event, listener),
    /** What the same call would be answered with over HTTP. */
    get statusCode() {
      return call.failure === undefined ? 200 : ERRORS[call.failure.code].http;
    },
    get writableFinished() {
      return stream.writableFinished;
    },
  };
}
