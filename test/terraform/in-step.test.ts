// What has to agree and lies in different files. Needs no terraform binary.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { defaults } from '../../shared/domain/settings.ts';
import { indexFile } from '../../shared/gcp/firestore/indexes.ts';
import { type Configuration, readConfiguration } from '../../tools/terraform/hcl.ts';
import { inputsTable, outputsTable, withTable } from '../../tools/terraform/tables.ts';
import { EXAMPLES, MODULE, ROOT } from './places.ts';
import { TERRAFORM } from './workspace.ts';

const REPOSITORY = join(import.meta.dirname, '../..');

/**
 * Events of `npm start`, where everything is one process over a folder, and of `npm run operate`,
 * on an operator's machine.
 */
const NEVER_DEPLOYED = [
  'sweep failed',
  'operators file not readable',
  'key not rewrapped',
  'file was open to others',
  'edge not loaded',
];

let module: Configuration;
let root: Configuration;
beforeAll(async () => {
  module = await readConfiguration(join(TERRAFORM, MODULE));
  root = await readConfiguration(join(TERRAFORM, ROOT));
});

test("the README's tables are those of the module (else: node tools/node24.mjs tools/terraform-docs.ts)", () => {
  const text = readFileSync(join(TERRAFORM, MODULE, 'README.md'), 'utf8');
  const inputs = withTable(text, 'inputs', inputsTable(module.named('variable')));
  expect(withTable(inputs, 'outputs', outputsTable(module.named('output')))).toBe(text);
});

test.each([ROOT, MODULE, ...EXAMPLES])(
  'variables and outputs of %s are described, and in the order of the alphabet',
  async (place) => {
    const { named } = await readConfiguration(join(TERRAFORM, place));
    for (const kind of ['variable', 'output'] as const) {
      const names = [...named(kind).keys()];
      expect(names).toEqual(names.toSorted());
      for (const [name, { description, type }] of named(kind)) {
        expect(description, name).toMatch(/^.+\.$/s);
        if (kind === 'variable') expect(type, name).toBeDefined();
      }
    }
  },
);

test('the root offers everything that the module does', () => {
  const offered = [...root.named('variable').keys()].filter((name) => name !== 'packages_file');
  const wanted = [...module.named('variable').keys()].filter((name) => name !== 'packages');
  expect(offered).toEqual(wanted);
  expect([...root.named('output').keys()]).toEqual([...module.named('output').keys()]);
});

// node tools/node24.mjs shared/gcp/firestore/indexes.ts > terraform/modules/holdfast/files/firestore.indexes.json
test("the module's copy of the indexes is what the code's collections need", () => {
  const file = join(TERRAFORM, MODULE, 'files/firestore.indexes.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(indexFile());
});

test('the module knows the settings that the code knows', () => {
  const [, list = ''] = /setsubtract\(keys\(var\.settings\), \[([^\]]*)\]/.exec(module.text) ?? [];
  const names = [...list.matchAll(/"(\w+)"/g)].map(([, name = '']) => name);
  expect(names).toEqual(Object.keys(defaults).toSorted());
});

test("the numbers that sizes are held against are the code's", () => {
  const [, list = ''] = /numbers = merge\(\{([^}]*)\}/.exec(module.text) ?? [];
  const numbers = [...list.matchAll(/(\w+) += (\d+)/g)].map(([, name, value]) => [name, value]);
  expect(numbers.length).toBeGreaterThan(4);
  const known = new Map(Object.entries(defaults).map(([name, value]) => [name, String(value)]));
  for (const [name = '', value] of numbers) expect(value, name).toBe(known.get(name));
});

test('the example with a subnetwork has addresses for all instances of two deployments at once', async () => {
  const { typed } = await readConfiguration(join(TERRAFORM, 'examples/private'));
  const network = typed('resource').find(({ type }) => type === 'google_compute_subnetwork');
  const bits = Number(/\/(\d+)$/.exec(String(network?.body['ip_cidr_range']))?.[1]);
  const instances = [...module.text.matchAll(/max_instances +=? optional\(number, (\d+)\)/g)];
  const sum = instances.reduce((total, [, each]) => total + Number(each), 0);
  expect(instances).toHaveLength(8);
  expect(2 ** (32 - bits) - 4).toBeGreaterThanOrEqual(4 * sum);
});

test('every event that is counted or alerted on is one that the code writes', () => {
  const written = eventsOf(/.*/);
  expect(watched()).not.toHaveLength(0);
  expect(watched().filter((event) => !written.includes(event))).toEqual([]);
});

test('every error that the code logs is counted (metrics.tf) or alerted on (monitoring.tf)', () => {
  const errors = eventsOf(/^error$/).filter((event) => !NEVER_DEPLOYED.includes(event));
  expect(errors.filter((event) => !watched().includes(event))).toEqual([]);
});

test('the alert on refusals knows every fault that waits for one of our services', () => {
  const [, pattern = ''] = /service_refuses = ".*fault=~\\"([^"\\]+)\\""/.exec(module.text) ?? [];
  const thrown = sources().flatMap((text) => [
    ...text.matchAll(/new ServiceRefused\('(\w+)'/g),
    ...text.matchAll(/super\('(\w+)', 'wait'/g),
  ]);
  const names = thrown.map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !new RegExp(pattern).test(name))).toEqual([]);
  const others = ['Unavailable', 'Contention', 'TooLarge', 'Unreadable', 'Error'];
  expect(others.filter((name) => new RegExp(pattern).test(name))).toEqual([]);
});

test('every field that a metric extracts is one that the lines of its event are written with', () => {
  const rows = /\bevent = "([^"]+)"(?:, field = "(\w+)")?, label = (?:"(\w+)"|null)/g;
  const wanted = [...module.text.matchAll(rows)].flatMap(([, event = '', field, label]) =>
    [field, label].flatMap((name) => (name === undefined ? [] : [{ event, name }])),
  );
  expect(wanted).toContainEqual({ event: 'segment ended', name: 'milliseconds' });
  const ofRequests = readFileSync(join(REPOSITORY, 'shared/http/request-log.ts'), 'utf8');
  const missing = wanted.filter(({ event, name }) => {
    const writers = sources().filter((text) => callsOf(text).some(([, , at]) => at === event));
    const written = new RegExp(`\\b${name}\\??[:,]|[{,] ${name} [,}]`);
    const whole = writers.map((text) => (text.includes('logRequest(') ? text + ofRequests : text));
    return !(whole.length > 0 && whole.every((text) => written.test(text)));
  });
  expect(missing).toEqual([]);
});

function watched(): readonly string[] {
  return [...module.text.matchAll(/\bevent\s*= "([^"]+)"/g)].map(([, event = '']) => event);
}

/** Of `log.write('error', 'row not swept', ...)`, also with the arguments on lines of their own. */
function eventsOf(level: RegExp): readonly string[] {
  const found = sources().flatMap(callsOf);
  return found.filter(([, at = '']) => level.test(at)).map(([, , event = '']) => event);
}

function sources(): readonly string[] {
  return globSync('{shared,functions}/**/*.ts', { cwd: REPOSITORY })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(REPOSITORY, file), 'utf8'));
}

const callsOf = (text: string): readonly (readonly string[])[] => [
  ...text.matchAll(/\blog\.write\(\s*'(\w+)',\s*'([^']+)'/g),
  ...[...text.matchAll(/\blogRequest\([^;]*?\bevent: '([^']+)'/g)].map(([all, event = '']) => [
    all,
    'info',
    event,
  ]),
];
