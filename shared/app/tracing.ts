import type { Run } from '../domain/run.ts';
import { type Traceparent, traceWithin } from '../domain/trace-context.ts';
import type { Log } from '../ports/log.ts';
import type { Attributes, Span, SpanName, SpanOptions, Tracer } from '../ports/tracer.ts';
import type { App } from './app.ts';
import type { TaskSpan } from './task-span.ts';
import { faultName } from './wake-up.ts';

type Given = () => Pick<SpanOptions, 'attributes' | 'kind'>;
type Work<T> = (app: App, span: Span | undefined) => Promise<T>;

/**
 * The application as a piece of traced work sees it: what it begins, wakes up and logs belongs to
 * that trace.
 */
export function within(app: App, trace: Traceparent | undefined): App {
  if (trace === undefined || trace === app.trace) return app;
  const log: Log = {
    write: (level, event, fields, at = trace) => app.log.write(level, event, fields, at),
  };
  return { ...app, log, trace };
}

/**
 * Work that is part of what goes on already. Where no trace is under way none begins, and nothing
 * is made.
 */
export function traced<T>(app: App, name: SpanName, given: Given, work: Work<T>): Promise<T> {
  if (app.tracer === undefined || app.trace === undefined) return work(app, undefined);
  return recorded(app, app.tracer.start(name, { ...given(), parent: app.trace }), work);
}

/** Work that a client asked for: it continues the client's trace, or begins one. */
export function tracedFrom<T>(
  app: App,
  name: SpanName,
  parent: Traceparent | undefined,
  given: Given,
  work: Work<T>,
): Promise<T> {
  if (app.tracer === undefined) return work(within(app, parent), undefined);
  return recorded(app, app.tracer.start(name, { ...given(), parent }), work);
}

/**
 * Work on a run whose trace others began: it goes on with the run's, and names what led to it as a
 * link.
 */
export function tracedOf<T>(
  app: App,
  run: Run,
  name: SpanName,
  given: Given,
  work: Work<T>,
): Promise<T> {
  const parent = traceWithin(app.trace, run.trace);
  if (app.tracer === undefined || parent === undefined) return work(within(app, parent), undefined);
  const links = app.trace === undefined || app.trace === parent ? [] : [app.trace];
  return recorded(app, app.tracer.start(name, { ...given(), parent, links }), work);
}

/** The span of a segment as its agent sees it. */
export function taskSpan({ trace, tracer }: App, span: Span | undefined): TaskSpan {
  if (tracer !== undefined && span !== undefined) return openSpan(tracer, span);
  const none: TaskSpan = {
    ...(trace !== undefined && { traceparent: trace }),
    set: () => undefined,
    span: async (_name, work) => work(none),
  };
  return none;
}

function openSpan(tracer: Tracer, parent: Span): TaskSpan {
  return {
    traceparent: parent.context,
    set: (attributes) => parent.set(ofAgent(attributes)),
    async span(name, work, attributes = {}, kind = 'internal') {
      const given = { parent: parent.context, kind, attributes: ofAgent(attributes) };
      const span = tracer.start(name.slice(0, NAME), given);
      try {
        const result = await work(openSpan(tracer, span));
        span.end();
        return result;
      } catch (error) {
        span.end(faultName(error));
        throw error;
      }
    },
  };
}

/** Of an author's name for a span; what is longer is no name. */
const NAME = 100;

const ofAgent = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name.includes('.') ? name : `agent.${name}`,
      value,
    ]),
  );

async function recorded<T>(app: App, span: Span, work: Work<T>): Promise<T> {
  try {
    const result = await work(within(app, span.context), span);
    span.end();
    return result;
  } catch (error) {
    span.end(faultName(error));
    throw error;
  }
}
