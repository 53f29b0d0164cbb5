import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: z.array(attribute).default([]),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  events: z.array(z.object({ name: z.string(), attributes: z.array(attribute) })).default([]),
  status: z.object({ code: z.number().optional(), message: z.string().optional() }),
});
type SentSpan = z.infer<typeof span> & { readonly service: unknown };

const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(
        z.object({ scope: z.object({ name: z.string() }), spans: z.array(span) }),
      ),
    }),
  ),
});

const point = z.looseObject({ attributes: z.array(attribute).default([]) });
const points = z.looseObject({ dataPoints: z.array(point) });
const metric = z.looseObject({
  name: z.string(),
  unit: z.string().optional(),
  histogram: points.optional(),
  sum: points.optional(),
  gauge: points.optional(),
});
const measured = z.object({
  resourceMetrics: z.array(
    z.object({ scopeMetrics: z.array(z.object({ metrics: z.array(metric) })) }),
  ),
});

export interface ReceivedMetrics {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly metrics: readonly z.infer<typeof metric>[];
}

export interface Received {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly text: string;
  readonly body: z.infer<typeof exported>;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly received: readonly Received[];
  readonly metrics: readonly ReceivedMetrics[];
  /** What came in Protobuf, as it came. */
  readonly binary: readonly Buffer[];
  /** Each with the service.name of its resource. */
  readonly spans: readonly SentSpan[];
  /** What it answers from now on; `silent` is nothing, ever. */
  answer: number | 'silent';
  close(): Promise<void>;
}

/**
 * Takes OTLP/HTTP in JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp), as a collector
 * does.
 */
export async function otlpReceiver(): Promise<OtlpReceiver> {
  const received: Received[] = [];
  const metrics: ReceivedMetrics[] = [];
  const binary: Buffer[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      if (req.headers['content-type'] === 'application/x-protobuf') {
        binary.push(Buffer.concat(chunks));
        res.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
        return;
      }
      const text = Buffer.concat(chunks).toString();
      const { authorization } = req.headers;
      if (req.url === '/v1/metrics') {
        const { resourceMetrics } = measured.parse(JSON.parse(text));
        const scopes = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics);
        metrics.push({
          path: req.url,
          authorization,
          metrics: scopes.flatMap((each) => each.metrics),
        });
      } else {
        const body = exported.parse(JSON.parse(text));
        received.push({ path: req.url, authorization, text, body });
      }
      if (receiver.answer === 'silent') return;
      res.writeHead(receiver.answer, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${port}`,
    received,
    metrics,
    binary,
    get spans() {
      return received.flatMap(({ body }) =>
        body.resourceSpans.flatMap(({ resource, scopeSpans }) => {
          const name = resource.attributes.find(({ key }) => key === 'service.name');
          const service = name?.value['stringValue'];
          return scopeSpans.flatMap(({ spans }) => spans.map((each) => ({ ...each, service })));
        }),
      );
    },
    answer: 200,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}
