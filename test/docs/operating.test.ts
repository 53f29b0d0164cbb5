import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ceilingsOf } from '../../bench/scale/ceilings.ts';
import { asDeployed, assumed } from '../../bench/scale/deployment.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): Promise<string> => readFile(`${root}${file}`, 'utf8');
const operating = await read('docs/operating.md');
const scale = await read('docs/scale.md');
const both = `${operating}\n${scale}`;
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(([, found]) => found ?? []);

const MODULE = 'terraform/modules/holdfast';

/** The first column of the table of log lines. */
const events = all(operating.split('\n## Log\n')[1]?.split('\n## ')[0] ?? '', /^\| `(.+?)` \|/gm);

/**
 * The keys of the policies; one that a loop makes for each function is written with its
 * placeholder.
 */
async function policies(): Promise<string[]> {
  const text = await read(`${MODULE}/monitoring.tf`);
  const between = (from: string, to: string): string => text.split(from)[1]?.split(to)[0] ?? '';
  const logs = all(between('log_alerts = {', '\n  }\n'), /^ {4}(\w+) = \{$/gm);
  const metrics = between('metric_alerts = merge(', '\n  )\n');
  const looped = all(metrics, /"(\w+)_\$\{name\}" =>/g).map((name) => `${name}_<function>`);
  const single = all(text, /resource "google_monitoring_alert_policy" "(\w+)"/g);
  return [
    ...logs,
    ...looped,
    ...all(metrics, /^ {6}(\w+) = \{$/gm),
    ...single.filter((name) => !['log', 'metric'].includes(name)),
  ].toSorted();
}

describe('docs/operating.md', () => {
  it('has a section for each alert policy, and for nothing else', async () => {
    const chapter = operating.split('\n## Alerts\n')[1]?.split('\n## ')[0] ?? '';
    const sections = all(chapter, /^### `(.+)`$/gm).toSorted();
    expect(sections.length).toBeGreaterThan(10);
    expect(sections).toEqual(await policies());
    for (const section of chapter.split('\n### ').slice(1)) {
      for (const part of ['**Means**', '**Look**', '**Do**']) expect(section).toContain(part);
    }
  });

  it('names log events that the code writes, and all that alerts and metrics count', async () => {
    const files = globSync('{shared,functions}/**/*.ts', { cwd: root });
    const code = files
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => readFileSync(`${root}${file}`, 'utf8'))
      .join('\n');
    expect(events.filter((event) => !code.includes(`'${event}'`))).toEqual([]);
    const watched = `${await read(`${MODULE}/monitoring.tf`)}${await read(`${MODULE}/metrics.tf`)}`;
    const counted = all(watched, /\bevent\s+= "([^"]+)"/g);
    expect(counted.length).toBeGreaterThan(10);
    expect(counted.filter((event) => !events.includes(event))).toEqual([]);
  });
});

describe('docs/operating.md and docs/scale.md', () => {
  it('name npm scripts that exist', async () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await read('package.json')));
    const named = all(both, /npm run ([a-z:]+)/g);
    expect(named).toEqual(expect.arrayContaining(['build', 'operate', 'scale']));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('name Terraform variables, fields, outputs and settings that exist', async () => {
    const variables = await read(`${MODULE}/variables.tf`);
    const rootFile = await read('terraform/variables.tf');
    const known = all(rootFile, /^variable "(\w+)"/gm);
    const blocks = new Map(
      variables.split(/^variable "/m).map((block) => [block.split('"', 1)[0], block] as const),
    );
    const fields = [...both.matchAll(/`(\w+)(?:\.| = \{ )(\w+)(?:`| = )/g)].filter(
      ([, name = '', field]) => known.includes(name) && !events.includes(`${name}.${field}`),
    );
    expect(fields.length).toBeGreaterThan(12);
    for (const [, name = '', field] of fields) {
      expect(blocks.get(name), `${name}.${field}`).toMatch(new RegExp(`\\b${field}\\b`));
    }
    const table = operating.split('| variable | first value |')[1]?.split('\n\n')[0] ?? '';
    const named = [
      ...all(table, /^\|.*?`(\w+)`/gm),
      ...all(both, /-var=(\w+)=/g),
      ...all(both, /`(\w+) = \{ /g),
    ];
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    const outputs = all(await read('terraform/outputs.tf'), /^output "(\w+)"/gm);
    const asked = all(both, /terraform(?: -chdir=\S+)?\s+output(?: -raw)? (\w+)/g);
    expect(asked.filter((name) => !outputs.includes(name))).toEqual([]);
  });

  it('name files of this repository that exist', async () => {
    const links = all(both, /\]\((?!https?:)([^)#]+)/g).map((link) => `docs/${link}`);
    const paths = all(both, /`((?:shared|bench|terraform|tools|docs)\/[\w./-]+)`/g);
    for (const path of [...links, ...paths]) {
      expect(globSync(path, { cwd: root }), path).not.toEqual([]);
    }
  });

  it('say the ceilings that the simulation computes', () => {
    const long = { ...assumed, agent: 10_000 };
    const of = (name: string, given = assumed): string => {
      const found = ceilingsOf(asDeployed, given).find((each) => each.name === name);
      const value = found?.tasksPerSecond ?? Number.NaN;
      return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
    };
    const row = (label: string): string | undefined =>
      operating
        .split('\n')
        .find((line) => line.startsWith(`| ${label} |`))
        ?.split(' | ')[1];
    expect(row('hand-over of purges')).toBe(of('hand-over of purges'));
    expect(row('places in projectors, purges')).toBe(of('places in projectors'));
    expect(row('places in workers, agent of 10 s')).toBe(of('places in workers', long));
    expect(row('open requests, agent of 10 s')).toBe(of('open requests at the edge', long));
    expect(row("one caller's list")).toBe(of("a caller's list index"));
    expect(row('places in workers, agent of 0.5 s')).toBe(of('places in workers'));
    expect(row('queues')).toBe(of('dispatch rate of the queues'));
    expect(row('index of due rows')).toBe(of('index of due rows'));
  });
});

describe('the cost table', () => {
  const counts = z.object({
    reads: z.number(),
    writes: z.number(),
    deletes: z.number().default(0),
  });
  const budgets = z.object({
    database: z.object({
      shortTask: counts,
      streamedMinute: counts,
      purgedMinute: counts,
      purgedShort: counts,
    }),
  });
  const cells = (line: string): string[] =>
    line.split('|').map((cell) => cell.replaceAll('*', '').trim());
  const tableAfter = (head: string): string[][] =>
    (operating.split(head)[1]?.split('\n\n')[0] ?? '').split('\n').slice(2).map(cells);
  const prices = tableAfter('| a million of | price | from |');
  const operations = tableAfter('| operations of one task | short task | streamed minute |');
  const counted = (name: string, column: number): number =>
    Number(operations.find(([, label]) => label === name)?.[column]);

  it('counts the operations of the budgets, purge included', async () => {
    const { database } = budgets.parse(JSON.parse(await read('budgets.json')));
    const { shortTask, streamedMinute, purgedMinute, purgedShort } = database;
    for (const name of ['reads', 'writes', 'deletes'] as const) {
      expect(counted(name, 2), name).toBe(shortTask[name] + purgedShort[name]);
      expect(counted(name, 3), name).toBe(streamedMinute[name] + purgedMinute[name]);
    }
  });

  it('adds up, and marks each price as one to check again', () => {
    expect(prices.length).toBeGreaterThan(8);
    for (const [, name, price, from] of prices) {
      expect(Number(price), name).toBeGreaterThan(0);
      expect(from).toContain('re-check');
    }
    for (const column of [2, 3]) {
      const sum = prices.reduce(
        (total, [, name = '', price]) => total + Number(price) * counted(name, column),
        0,
      );
      expect(Math.round(sum)).toBe(counted('dollars a million', column));
    }
  });
});
