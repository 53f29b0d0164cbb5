// Who may import whom. A table of what IS allowed, so that a new folder or package has to be put in
// on purpose. oxlint's no-restricted-imports could not say it: no look-ahead, so no allow list, and
// it does not see import(), which is how the Google clients are loaded.
import { posix } from 'node:path';
import { parseSync } from 'vite';
import { runCheck, type CheckResult } from './report.ts';
import { lineOf, readSource, sourceFiles, type Finding } from './sources.ts';

// Node reads each property of process to export it, and stdin is made, and non-blocking, by that: a
// shell whose input it is can't read its next command.
const OPENS_STDIN = 'use the global process: to import node:process opens stdin.';

interface Layer {
  readonly layers: readonly string[];
  /** Packages and node: modules, by prefix. */
  readonly packages: readonly string[];
}

const GOOGLE = '@google-cloud/';
const FRAMEWORK = '@google-cloud/functions-framework';
const AUTH = 'google-auth-library';
const GRPC = '@grpc/grpc-js';
const SDK = '@a2a-js/sdk';
const MCP = '@modelcontextprotocol/client';
const TELEMETRY = '@opentelemetry/';
const BELOW_APP = ['shared/domain', 'shared/ports', 'shared/store'];
const EVERYTHING = [
  'shared/',
  'agents',
  'emulators',
  'examples',
  'functions',
  'console',
  'project',
  'test',
  'testing',
  'tools',
  'bench',
];
const ANY_PACKAGE = [''];
// "No Google client, no SDK" for a layer that is otherwise free in its packages.
const PLAIN = ['node:', 'zod', 'express'];

const LAYERS: Readonly<Record<string, Layer>> = {
  'shared/domain': { layers: [], packages: ['zod', 'node:crypto'] },
  'shared/ports': { layers: ['shared/domain'], packages: ['zod'] },
  'shared/store': { layers: ['shared/domain', 'shared/ports'], packages: [] },
  'shared/app': { layers: BELOW_APP, packages: ['zod', 'node:crypto'] },
  // The agent card is made of what authors declare.
  'shared/a2a': {
    layers: [...BELOW_APP, 'shared/app', 'shared/agent', 'shared/http'],
    packages: ['node:', 'zod'],
  },
  // The same edge over gRPC: what is said is of shared/a2a, how is of HTTP/2 and protobuf.
  'shared/grpc': {
    layers: [...BELOW_APP, 'shared/app', 'shared/agent', 'shared/http', 'shared/a2a'],
    packages: ['node:', '@bufbuild/protobuf'],
  },
  'shared/operator': { layers: [...BELOW_APP, 'shared/app', 'shared/http'], packages: PLAIN },
  // What both HTTP edges need, whatever they serve.
  'shared/http': { layers: ['shared/domain', 'shared/ports'], packages: ['node:'] },
  'shared/agent': {
    layers: [...BELOW_APP, 'shared/app', 'shared/models'],
    packages: [...PLAIN, SDK, 'croner'],
  },
  // What computes an agent's turns, and the models of the AI SDK as one.
  'shared/models': { layers: ['shared/domain'], packages: ['zod', '@ai-sdk/provider'] },
  // Agents of the SDK's own kind, and no other place that runs them.
  'shared/executor': {
    layers: [...BELOW_APP, 'shared/app', 'shared/agent'],
    packages: ['node:', SDK],
  },
  // Agents in processes of their own: both ends, and what watches them.
  'shared/isolation': { layers: [...BELOW_APP, 'shared/app'], packages: ['node:', 'zod'] },
  'shared/gcp': { layers: BELOW_APP, packages: ['node:', 'zod', GOOGLE, AUTH, GRPC] },
  // Who calls: tokens, keys and what a proxy says.
  'shared/access': {
    layers: ['shared/domain', 'shared/ports'],
    packages: ['node:', 'zod', 'jose'],
  },
  'shared/embedded': { layers: [...BELOW_APP, 'shared/system'], packages: ['node:', 'zod'] },
  // Reads what other systems left, and makes tasks of it.
  'shared/import': {
    layers: [...BELOW_APP, 'shared/app', 'shared/files'],
    packages: ['node:', 'zod'],
  },
  'shared/files': { layers: ['shared/domain', 'shared/ports'], packages: ['node:'] },
  'shared/redaction': {
    layers: ['shared/domain', 'shared/ports'],
    packages: ['libphonenumber-js'],
  },
  // The way out to URLs that others gave, with its guard.
  'shared/outgoing': { layers: ['shared/domain', 'shared/ports'], packages: ['node:'] },
  'shared/remote': {
    layers: ['shared/domain', 'shared/ports', 'shared/outgoing'],
    packages: ['zod', SDK],
  },
  // Servers of tools.
  'shared/mcp': {
    layers: ['shared/domain', 'shared/ports', 'shared/outgoing', 'shared/remote'],
    packages: ['node:', MCP],
  },
  // For servers of others, on the SDK's own handler: what they import brings its adapters with it.
  'shared/task-store': {
    layers: ['shared/domain', 'shared/ports', 'shared/system', 'shared/gcp', 'shared/embedded'],
    packages: ['node:', 'zod', SDK],
  },
  'shared/telemetry': { layers: ['shared/domain', 'shared/ports'], packages: [TELEMETRY] },
  // What the deployment and the machine share of clock, ids and log.
  'shared/system': { layers: ['shared/domain', 'shared/ports'], packages: ['node:'] },
  // What runs in an operator's browser: of the server it knows the types of the API alone.
  console: { layers: ['shared/operator'], packages: ['preact', 'zod'] },
  functions: {
    layers: ['shared/', 'agents', 'emulators', 'project'],
    packages: [...PLAIN, SDK, FRAMEWORK, 'esbuild', 'eventsource-parser', 'string-width'],
  },
  // What authors do in a repository of their own; its commands are in the table of functions/cli.
  project: { layers: ['functions'], packages: ['node:', 'zod', 'esbuild', 'holdfast/'] },
  // The kit that authors test their agents with: the product in one process, over memory.
  testing: { layers: ['shared/', 'functions'], packages: ['node:', 'zod'] },
  // As in a project of its own: by the entry points of the package (holdfast/agent).
  agents: { layers: ['examples'], packages: ANY_PACKAGE },
  examples: { layers: [], packages: ANY_PACKAGE },
  emulators: { layers: ['shared/'], packages: ANY_PACKAGE },
  test: { layers: EVERYTHING, packages: ANY_PACKAGE },
  bench: { layers: EVERYTHING, packages: ANY_PACKAGE },
  // The report on redaction scores the real thing on the labelled texts of the tests; pages of the
  // docs are made of tables in the code.
  tools: {
    layers: ['shared/', 'functions', 'project', 'test'],
    packages: ANY_PACKAGE,
  },
};

/**
 * The rooms of shared/app, and which others each may use; every room may use the contracts that lie
 * beside them. A room that is not here is refused, and so is a circle of rooms.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  records: [],
  content: ['records'],
  files: ['records', 'content'],
  change: ['records', 'content', 'files'],
  privacy: ['records', 'content', 'files', 'change'],
  segment: ['records', 'content', 'files', 'change', 'privacy'],
  webhooks: ['records', 'content', 'change'],
  notices: ['records', 'content', 'webhooks'],
  restore: ['records', 'content', 'change', 'privacy'],
  counters: ['records'],
  callers: ['records', 'content'],
  delegation: ['records', 'content', 'change', 'segment'],
  decisions: ['records', 'content', 'change', 'privacy', 'segment'],
  signals: ['records', 'content', 'change'],
  limits: ['records'],
  tasks: [
    'limits',
    'records',
    'content',
    'change',
    'privacy',
    'segment',
    'decisions',
    'signals',
    'webhooks',
  ],
  schedules: ['records', 'content', 'change', 'tasks'],
  worker: [
    'schedules',
    'callers',
    'limits',
    'counters',
    'records',
    'content',
    'change',
    'privacy',
    'segment',
    'delegation',
    'decisions',
    'signals',
    'notices',
    'webhooks',
  ],
  // Other agents, compared with what is recorded of open runs.
  upgrade: ['records', 'content', 'privacy', 'signals', 'worker'],
  operators: [
    'schedules',
    'records',
    'counters',
    'content',
    'change',
    'privacy',
    'segment',
    'files',
    // What may be kept of a run that an operator makes.
    'privacy',
    'delegation',
    'decisions',
    'signals',
    'tasks',
    'webhooks',
  ],
};

export function checkLayers(root: string): CheckResult {
  const files = sourceFiles(root);
  const edges = files.flatMap((file) => importsOf(file, readSource(root, file)));
  const findings = edges.flatMap(({ file, line, specifier }) => {
    const message = objection(file, specifier);
    return message === undefined ? [] : [{ file, line, message }];
  });
  return {
    findings: [...findings, ...cycles(edges)],
    summary: `${edges.length} imports of ${files.length} files keep to the layers`,
  };
}

interface Import extends Omit<Finding, 'message'> {
  readonly specifier: string;
}

function importsOf(file: string, text: string): Import[] {
  const { module } = parseSync(file, text);
  const fromExports = module.staticExports
    .flatMap((statement) => statement.entries)
    .flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [moduleRequest]));
  const requests = [...module.staticImports.map((each) => each.moduleRequest), ...fromExports];
  const edges = requests.map(({ value, start }) => ({ specifier: value, start }));
  for (const { moduleRequest } of module.dynamicImports) {
    const source = text.slice(moduleRequest.start, moduleRequest.end);
    // import(variable) names nothing that could be checked; only the literal form is looked at.
    const literal = /^['"`]([^'"`$]+)['"`]$/.exec(source)?.[1];
    if (literal !== undefined) edges.push({ specifier: literal, start: moduleRequest.start });
  }
  for (const match of text.matchAll(/\bimport\('([^']+)'\)\./g)) {
    edges.push({ specifier: match[1] ?? '', start: match.index });
  }
  return edges.map(({ specifier, start }) => ({ file, specifier, line: lineOf(text, start) }));
}

function objection(file: string, specifier: string): string | undefined {
  const from = layerOf(file);
  const rules = LAYERS[from];
  if (rules === undefined) return `${from} is no layer: put it into tools/checks/layers.ts.`;
  // A unit test sits beside its subject and may use any adapter, fixture or package.
  const { layers, packages } = file.endsWith('.test.ts')
    ? { layers: EVERYTHING, packages: ANY_PACKAGE }
    : rules;
  if (!specifier.startsWith('.')) {
    if (from.startsWith('shared/') && specifier.startsWith(FRAMEWORK)) {
      return `${FRAMEWORK} belongs in functions.`;
    }
    if (specifier === 'node:process') return OPENS_STDIN;
    const allowed = packages.some((prefix) => specifier.startsWith(prefix));
    return allowed ? undefined : `${from} must not import the package ${specifier}.`;
  }
  if (!/\.(tsx?|mjs|json|css)$/.test(specifier)) {
    return `${specifier} needs its .ts: Node runs the sources as they are.`;
  }
  const target = posix.join(posix.dirname(file), specifier);
  const to = layerOf(target);
  if (from === 'shared/app' && to === from && !file.endsWith('.test.ts')) {
    return roomObjection(roomOf(file), roomOf(target), specifier);
  }
  const allowed = to === from || layers.some((each) => to === each || isUnder(to, each));
  return allowed ? undefined : `${from} must not import ${to} (${specifier}).`;
}

/**
 * A file that imports itself by way of others, be it only for a type: the two can't be read one
 * after the other.
 */
function cycles(edges: readonly Import[]): Finding[] {
  const imports = new Map<string, Import[]>();
  for (const edge of edges) {
    // The world of a test and what must hold in it know each other.
    if (edge.file.startsWith('test/')) continue;
    imports.set(edge.file, [...(imports.get(edge.file) ?? []), edge]);
  }
  const done = new Set<string>();
  const findings: Finding[] = [];
  const walk = (file: string, way: readonly string[]): void => {
    if (done.has(file)) return;
    for (const { line, specifier } of imports.get(file) ?? []) {
      if (!specifier.startsWith('.')) continue;
      const to = posix.join(posix.dirname(file), specifier);
      const from = [...way, file].indexOf(to);
      if (from < 0) walk(to, [...way, file]);
      else {
        const circle = [...way.slice(from), file, to].join(' -> ');
        findings.push({ file, line, message: `an import cycle: ${circle}.` });
      }
    }
    done.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  return findings;
}

function roomObjection(from: string, to: string, specifier: string): string | undefined {
  if (to === from || to === '') return undefined;
  if (from === '') return `a contract of shared/app must not import the room ${to} (${specifier}).`;
  const allowed = ROOMS[from];
  if (allowed === undefined) return `${from} is no room: put it into tools/checks/layers.ts.`;
  if (allowed.includes(to)) return undefined;
  return `the room ${from} must not import ${to} (${specifier}).`;
}

/** The room of shared/app that a file lies in; empty for its contracts. */
function roomOf(path: string): string {
  const [, , room = '', file] = path.split('/');
  return file === undefined ? '' : room;
}

function isUnder(layer: string, prefix: string): boolean {
  return prefix.endsWith('/') && layer.startsWith(prefix);
}

function layerOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'shared' ? `shared/${second}` : top;
}

if (import.meta.main) runCheck(checkLayers);
