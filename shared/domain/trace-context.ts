import type { Brand } from './brand.ts';

/**
 * A W3C traceparent (https://www.w3.org/TR/trace-context-2/) of version 00, checked: what a span's
 * children name it by.
 */
export type Traceparent = Brand<string, 'Traceparent'>;

export interface TraceContext {
  /** 32 lower-case hex digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hex digits, not all zero. */
  readonly spanId: string;
  /** This trace is recorded. */
  readonly sampled: boolean;
}

const LENGTH = 55;
const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 0x01;

/**
 * Reads a traceparent strictly (sections 3.2.2 and 4.3). Of a version that is newer than this code,
 * the fields that version 00 has are read. Undefined: it is none, and a new trace begins.
 */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  if (typeof text !== 'string') return undefined;
  const [, version = 'ff', traceId = '', spanId = '', flags = ''] = FORM.exec(text) ?? [];
  if (version === 'ff' || (version === '00' && text.length !== LENGTH)) return undefined;
  if (isZero(traceId) || isZero(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

export function printTraceparent({ traceId, spanId, sampled }: TraceContext): Traceparent {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}` as Traceparent;
}

/** What came from outside, as it goes on from here. */
export function traceparent(text: unknown): Traceparent | undefined {
  const context = parseTraceparent(text);
  return context && printTraceparent(context);
}

export function contextOf(parent: Traceparent): TraceContext {
  const context = parseTraceparent(parent);
  if (context === undefined) throw new TypeError('a traceparent that was never parsed');
  return context;
}

/**
 * A run has one trace, from its first message to its result: what goes on now is part of it, or the
 * run's own span is.
 */
export function traceWithin(
  now: Traceparent | undefined,
  runs: Traceparent | undefined,
): Traceparent | undefined {
  if (now === undefined || runs === undefined) return runs ?? now;
  return traceIdOf(now) === traceIdOf(runs) ? now : runs;
}

const traceIdOf = (parent: Traceparent): string => parent.slice(3, 35);

const isZero = (digits: string): boolean => /^0*$/.test(digits);
