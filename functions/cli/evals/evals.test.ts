import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answer } from './answer.ts';
import { type EvalCase, readCases } from './cases.ts';
import { summaryOf } from './report.ts';
import { addResult, openResults, readResults, type Result } from './results.ts';
import { scorersFor } from './scorers.ts';

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-eval-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'file.jsonl');
  writeFileSync(file, text);
  return file;
}

const head = { evaluation: 'e', agent: 'a', digest: 'd', score: ['exact'], at: 'now' };
const result = (over: Partial<Result>): Result => ({
  case: '1',
  state: 'TASK_STATE_COMPLETED',
  score: 1,
  scores: {},
  text: '',
  ...over,
});

describe('cases', () => {
  it('are lines of JSON, each with an id: its own, or the number of its line', () => {
    const { cases } = readCases(fileWith('{"input":"a"}\n\n{"id":"b","input":[{"text":"b"}]}\n'));
    expect(cases).toMatchObject([
      { id: '1', input: 'a', state: 'TASK_STATE_COMPLETED' },
      { id: 'b', input: [{ text: 'b' }] },
    ]);
  });

  it.each([
    ['', 'holds no cases'],
    ['{"input":"a"}\nnonsense', ':2: '],
    ['{"inputs":"a"}', ':1: '],
    ['{"input":"a","id":"x"}\n{"input":"b","id":"x"}', 'two cases have the id x'],
  ])('%j is refused, with its line', (text, words) => {
    expect(() => readCases(fileWith(text))).toThrow(words);
  });
});

describe('results', () => {
  it('are added to, behind a line that a kill cut off, which is left out', () => {
    const file = fileWith(`${JSON.stringify(head)}\n${JSON.stringify(result({}))}\n`);
    appendFileSync(file, '{"case":"2","sco');
    expect(openResults(file, { ...head, evaluation: 'another' }).results).toHaveLength(1);
    addResult(file, result({ case: '2' }));
    expect(readResults(file)).toMatchObject({ head, results: [{ case: '1' }, { case: '2' }] });
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
  });

  it.each(['agent', 'digest', 'score'] as const)('of another %s are left alone', (name) => {
    const file = fileWith(`${JSON.stringify(head)}\n`);
    const other = { ...head, [name]: name === 'score' ? ['schema'] : 'other' };
    expect(() => openResults(file, other)).toThrow('is of another evaluation');
    expect(() => readResults(fileWith('{}\n'))).toThrow('holds no results');
  });

  it('are summed up: cases that are not over have not passed', () => {
    const results = [
      result({ tookMs: 10, cost: 5, tokens: 7 }),
      result({ case: '2', score: 0.5, tookMs: 30 }),
    ];
    expect(summaryOf({ head, results }, 3, 1)).toMatchObject({
      cases: 3,
      passed: 1,
      score: 0.75,
      tookMs: { p50: 10, p90: 30 },
      cost: 5,
      tokens: 7,
    });
    expect(summaryOf({ head, results }, 3, 0.5).passed).toBe(2);
  });
});

describe('a scorer', () => {
  const answer: Answer = {
    state: 'TASK_STATE_COMPLETED',
    text: ' three rows ',
    data: { rows: 3 },
    artifacts: [],
  };
  const given = (over: Partial<EvalCase>): EvalCase => ({
    id: '1',
    input: 'a',
    state: 'TASK_STATE_COMPLETED',
    ...over,
  });
  const score = async (name: string, over: Partial<EvalCase>, said: Partial<Answer> = {}) => {
    const [scorer] = await scorersFor([name], () => Promise.resolve({ ...answer, ...said }));
    return scorer?.score({ case: given(over), answer });
  };
  const rows = { type: 'object', properties: { rows: { type: 'integer', maximum: 2 } } };

  it.each<[string, Partial<EvalCase>, number]>([
    ['exact', { expect: 'three rows' }, 1],
    ['exact', { expect: 'three' }, 0],
    ['exact', { expect: { rows: 3 } }, 1],
    ['exact', {}, 0],
    ['contains', { expect: 'rows' }, 1],
    ['contains', { expect: 'columns' }, 0],
    ['schema', { schema: { ...rows, properties: { rows: { type: 'integer' } } } }, 1],
    ['schema', { schema: rows }, 0],
  ])('%s with %j is %i', async (name, over, wanted) => {
    expect(await score(name, over)).toMatchObject({ score: wanted });
  });

  it('that is an agent says its grade as data, or as JSON among its words', async () => {
    const grade = { score: 0.5, why: 'half' };
    expect(await score('agent:judge', {}, { data: grade })).toEqual(grade);
    const text = `Sure: ${JSON.stringify(grade)}`;
    const { artifacts, state } = answer;
    const [judge] = await scorersFor(['agent:judge'], () =>
      Promise.resolve({ artifacts, state, text }),
    );
    expect(await judge?.score({ case: given({}), answer })).toEqual(grade);
    expect(await score('agent:judge', {}, { data: { score: 7 } })).toMatchObject({ score: 0 });
  });

  it('that is a module is its function; one that is neither is refused', async () => {
    const file = fileWith('').replace('.jsonl', '.mjs');
    writeFileSync(file, 'export default ({ answer }) => answer.data.rows === 3;');
    expect(await score(file, {})).toEqual({ score: 1 });
    writeFileSync(file.replace('.mjs', '.js'), 'export const score = 1;');
    await expect(score(file.replace('.mjs', '.js'), {})).rejects.toThrow('no function');
    await expect(score('vibes', {})).rejects.toThrow('exact, contains, schema');
  });

  it('that throws ends the command with a line: whose function, on which case, and why', async () => {
    const file = fileWith('').replace('.jsonl', '.mjs');
    writeFileSync(file, 'export default () => { throw new TypeError("no data"); };');
    await expect(score(file, {})).rejects.toThrow(
      `${file} throws on the case 1: TypeError: no data`,
    );
  });
});
