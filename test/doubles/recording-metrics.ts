import { type MetricName, METRICS, type Metrics } from '../../shared/ports/metrics.ts';
import type { Attributes } from '../../shared/ports/tracer.ts';

export interface Measured {
  readonly name: MetricName;
  readonly value: number;
  readonly attributes: Attributes;
}

/** Keeps every value in its order, and takes none whose attributes the table does not know. */
export class RecordingMetrics implements Metrics {
  readonly measured: Measured[] = [];

  measure(name: MetricName, value: number, attributes: Attributes = {}): void {
    const known: readonly string[] = METRICS[name].attributes;
    for (const key of Object.keys(attributes))
      if (!known.includes(key)) throw new TypeError(`${name} has no attribute ${key}`);
    this.measured.push({ name, value, attributes });
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  of(name: MetricName): readonly Measured[] {
    return this.measured.filter((each) => each.name === name);
  }
}
