import type { Json } from '../shared/domain/json.ts';
import { mergeFindings } from '../shared/redaction/merge-findings.ts';
import { findSecrets } from '../shared/redaction/secrets/secrets.ts';

const MARK = '[secret]';

/** Takes what is secret out of every text of a value, names of members included. */
export type WithoutSecrets = (value: Json) => Json;

/** Keys and tokens of known forms, and what its test names. */
export function withoutSecrets(named: readonly (string | RegExp)[]): WithoutSecrets {
  const clean = (text: string): string => {
    const told = named.reduce<string>((done, each) => done.replaceAll(global(each), MARK), text);
    const findings = mergeFindings(findSecrets(told));
    // From the end, so that the places before stay where they are.
    return findings.reduceRight(
      (done, { end, start }) => done.slice(0, start) + MARK + done.slice(end),
      told,
    );
  };
  const within = (value: Json): Json => {
    if (typeof value === 'string') return clean(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((each: Json) => within(each));
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [clean(key), within(member)]),
    );
  };
  return within;
}

/** `replaceAll` wants it of an expression. */
const global = (each: string | RegExp): string | RegExp =>
  typeof each === 'string' || each.global ? each : new RegExp(each.source, `${each.flags}g`);
