import type { Millis } from '../domain/brand.ts';
import type { Attributes } from './tracer.ts';

/** A number of the system that changes, by its OpenTelemetry name. */
export interface MetricShape {
  /** `histogram`: each value counts; `counter`: they are added; `gauge`: the last one stands. */
  readonly kind: 'histogram' | 'counter' | 'gauge';
  /** As UCUM writes it. */
  readonly unit: string;
  /** Words of the code or of an agent's author: never an id, so that there are few series. */
  readonly attributes: readonly string[];
  readonly says: string;
}

/** Everything that is measured; docs/tracing.md has the same table. */
export const METRICS = {
  'holdfast.queue.wait': {
    kind: 'histogram',
    unit: 's',
    attributes: ['agent'],
    says: 'from when a segment was due to when its worker took it up',
  },
  'holdfast.segment.duration': {
    kind: 'histogram',
    unit: 's',
    attributes: ['agent', 'status'],
    says: 'how long a worker had a segment, and what its run was then',
  },
  'holdfast.run.duration': {
    kind: 'histogram',
    unit: 's',
    attributes: ['agent', 'status', 'reason'],
    says: 'a run that ended, from its message on, waits included; its count is that of results',
  },
  'holdfast.projection.lag': {
    kind: 'histogram',
    unit: 's',
    attributes: [],
    says: 'how late a revision was shown that its own commit did not show',
  },
  'holdfast.sends': {
    kind: 'counter',
    unit: '{send}',
    attributes: ['remote', 'outcome'],
    says: 'messages to remote agents, by what became of the call',
  },
  'holdfast.waits': {
    kind: 'gauge',
    unit: '{run}',
    attributes: ['kind'],
    says: 'runs that wait now: `approval`, `input`, `dependency`, `unknown-send`, `blocked`',
  },
  'holdfast.waits.age': {
    kind: 'gauge',
    unit: 's',
    attributes: ['kind'],
    says: 'how long the longest of them waits; not of `unknown-send` and `blocked`',
  },
  'holdfast.webhooks.parked': {
    kind: 'gauge',
    unit: '{webhook}',
    attributes: [],
    says: 'webhooks of callers that are told nothing more',
  },
  'holdfast.notices.parked': {
    kind: 'gauge',
    unit: '{target}',
    attributes: [],
    says: 'targets of operators that are told nothing more',
  },
  'gen_ai.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    attributes: [
      'gen_ai.operation.name',
      'gen_ai.provider.name',
      'gen_ai.request.model',
      'error.type',
    ],
    says: 'one answer of a model, or its fault',
  },
  'gen_ai.client.token.usage': {
    kind: 'histogram',
    unit: '{token}',
    attributes: [
      'gen_ai.operation.name',
      'gen_ai.provider.name',
      'gen_ai.request.model',
      'gen_ai.token.type',
    ],
    says: 'tokens of one answer: `input` and `output`',
  },
} as const satisfies Readonly<Record<string, MetricShape>>;

export type MetricName = keyof typeof METRICS;

/** Absent: nothing is measured, and nothing is made for it. */
export interface Metrics {
  /** One value, in the unit of the metric. Never throws, and waits for nothing. */
  measure(name: MetricName, value: number, attributes?: Attributes): void;
  /** Has what was measured sent away. Never throws; what is not sent within that may come later. */
  flush(within: Millis): Promise<void>;
}
