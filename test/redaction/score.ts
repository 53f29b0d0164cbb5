import type { Finding, Kind } from '../../shared/redaction/finding.ts';
import type { Labelled } from './labelled.ts';

export interface Score {
  readonly labelled: number;
  readonly found: number;
  readonly right: number;
  /** Of what was found, how much is right. */
  readonly precision: number;
  /** Of what is labelled, how much was found. */
  readonly recall: number;
}

export interface Miss {
  readonly line: number;
  readonly kind: Kind;
  readonly value: string;
}

export interface Report {
  readonly all: Score;
  readonly kinds: ReadonlyMap<Kind, Score>;
  readonly misses: readonly Miss[];
  readonly falseAlarms: readonly Miss[];
}

const KINDS: readonly Kind[] = ['email', 'phone', 'iban', 'card', 'secret'];

/** Right is what has the kind and exactly the span of a label. */
export function score(
  lines: readonly Labelled[],
  find: (text: string) => readonly Finding[],
): Report {
  const labelled: Miss[] = [];
  const found: Miss[] = [];
  const misses: Miss[] = [];
  const falseAlarms: Miss[] = [];
  for (const { line, text, findings } of lines) {
    const named = ({ kind, start, end }: Finding): Miss => ({
      line,
      kind,
      value: text.slice(start, end),
    });
    const answer = find(text);
    labelled.push(...findings.map(named));
    found.push(...answer.map(named));
    misses.push(...findings.filter((each) => !has(answer, each)).map(named));
    falseAlarms.push(...answer.filter((each) => !has(findings, each)).map(named));
  }
  const scoreOf = (kinds: readonly Kind[]): Score => {
    const count = (list: readonly Miss[]) => list.filter(({ kind }) => kinds.includes(kind)).length;
    const right = count(labelled) - count(misses);
    return {
      labelled: count(labelled),
      found: count(found),
      right,
      precision: right / count(found),
      recall: right / count(labelled),
    };
  };
  const kinds = new Map(KINDS.map((kind) => [kind, scoreOf([kind])]));
  return { all: scoreOf(KINDS), kinds, misses, falseAlarms };
}

function has(findings: readonly Finding[], wanted: Finding): boolean {
  return findings.some(
    ({ kind, start, end }) => kind === wanted.kind && start === wanted.start && end === wanted.end,
  );
}
