// Time, chance and the network are ports: the simulator and the tests own them. oxlint's restricted
// globals and properties miss `new Date()` without arguments and every import form, hence this
// check.
import { parseSync, type ESTree } from 'vite';
import { runCheck, type CheckResult } from './report.ts';
import { lineOf, readSource, sourceFiles, type Finding } from './sources.ts';

const CLOCK = 'use the Clock port';
const IDS = 'use the Ids port';
const REMOTE =
  'use the OutgoingHttp port, which guards where it goes, or put the call into an adapter';

const GLOBALS: Readonly<Record<string, string>> = {
  setTimeout: CLOCK,
  setInterval: CLOCK,
  setImmediate: CLOCK,
  fetch: REMOTE,
};
const MEMBERS: Readonly<Record<string, string>> = {
  'Date.now': CLOCK,
  'performance.now': CLOCK,
  'performance.timeOrigin': CLOCK,
  'process.hrtime': CLOCK,
  'AbortSignal.timeout': CLOCK,
  'Math.random': IDS,
};
// Of node:crypto and the global crypto alike, whatever the object is called.
const RANDOM = new Set([
  'randomUUID',
  'randomBytes',
  'randomInt',
  'randomFillSync',
  'getRandomValues',
]);
const MODULES: Readonly<Record<string, string>> = {
  'node:timers': CLOCK,
  'node:timers/promises': CLOCK,
  'node:perf_hooks': CLOCK,
  'node:https': REMOTE,
  'node:net': REMOTE,
  'node:tls': REMOTE,
  'node:dns': REMOTE,
  'node:dns/promises': REMOTE,
};
/** Where requests go out to URLs of others; its clock is a port as everywhere. */
const OUTGOING = 'shared/outgoing/';
const FREE = [
  'shared/embedded/',
  'shared/gcp/',
  'shared/system/',
  'emulators/',
  'functions/start/',
  // What authors and callers write, who have no ports.
  'project/',
  'examples/',
  'functions/cli/main.ts',
  'console/browser.ts',
  // It gives each turn of the event loop its end, which is what its own time is made of.
  'testing/virtual-clock.ts',
  // It hands the thread on between shares of its work, and looks at no clock.
  'shared/files/turns.ts',
  'tools/',
  'test/',
  'bench/',
];

export function checkBannedGlobals(root: string): CheckResult {
  const files = sourceFiles(root).filter(
    (file) => !FREE.some((folder) => file.startsWith(folder)) && !file.endsWith('.test.ts'),
  );
  const findings = files.flatMap((file) => breachesOf(file, readSource(root, file)));
  return { findings, summary: `${files.length} files reach time, chance and network by ports` };
}

function breachesOf(file: string, text: string): Finding[] {
  const { program } = parseSync(file, text);
  const own = ownNames(program);
  const findings: Finding[] = [];
  const mayGoOut = file.startsWith(OUTGOING);
  visit(program, undefined, '', (node, parent, key) => {
    const breach = breachOf(node, parent, key, own);
    if (breach === undefined || (mayGoOut && breach.endsWith(`${REMOTE}.`))) return;
    findings.push({ file, line: lineOf(text, node.start), message: breach });
  });
  return findings;
}

type Node = ESTree.Node;

function breachOf(
  node: Node,
  parent: Node | undefined,
  key: string,
  own: ReadonlySet<string>,
): string | undefined {
  if (node.type === 'NewExpression' || node.type === 'CallExpression') {
    const bare = node.type === 'CallExpression' || node.arguments.length === 0;
    return bare && nameOf(node.callee) === 'Date' ? say('new Date()', CLOCK) : undefined;
  }
  if (node.type === 'MemberExpression') {
    return memberBreach(nameOf(node.object), nameOf(node.property));
  }
  if (node.type === 'ImportSpecifier') {
    const name = nameOf(node.imported);
    return RANDOM.has(name) ? say(name, IDS) : undefined;
  }
  if (node.type === 'ImportDeclaration') {
    const port = isOnlyTypes(node) ? undefined : MODULES[node.source.value];
    return port === undefined ? undefined : say(node.source.value, port);
  }
  if (node.type === 'Identifier') {
    const port = Object.hasOwn(GLOBALS, node.name) ? GLOBALS[node.name] : undefined;
    if (port === undefined || own.has(node.name) || !isReference(parent, key)) return undefined;
    return say(node.name, port);
  }
  return undefined;
}

function isOnlyTypes({ importKind, specifiers }: ESTree.ImportDeclaration): boolean {
  if (importKind === 'type') return true;
  const named = specifiers.map((each) => each.type === 'ImportSpecifier' && each.importKind);
  return named.length > 0 && named.every((kind) => kind === 'type');
}

function memberBreach(object: string, property: string): string | undefined {
  if (RANDOM.has(property)) return say(property, IDS);
  const name = object === 'globalThis' ? property : `${object}.${property}`;
  const port = object === 'globalThis' ? GLOBALS[name] : MEMBERS[name];
  return port === undefined ? undefined : say(name, port);
}

function say(what: string, port: string): string {
  return `${what} is not for this layer: ${port}.`;
}

function nameOf(node: Node): string {
  return node.type === 'Identifier' ? node.name : '';
}

const NAME_KEYS = new Set(['key', 'id', 'params', 'imported', 'exported', 'local']);

/** False for the name of a member, a property, a method or a type: those are not the global. */
function isReference(parent: Node | undefined, key: string): boolean {
  if (parent === undefined || parent.type.startsWith('TS')) return false;
  if (parent.type === 'MemberExpression') return key === 'object' || parent.computed;
  return !NAME_KEYS.has(key);
}

/** Names that the file itself declares (a parameter called `fetch` is a port handed in). */
function ownNames(program: Node): ReadonlySet<string> {
  const names = new Set<string>();
  visit(program, undefined, '', (node, parent, key) => {
    if (node.type === 'ObjectPattern') {
      // `({ fetch }) =>` and `const { fetch } = ports`
      for (const each of node.properties) {
        if (each.type === 'Property') names.add(nameOf(each.value));
      }
    }
    const declares = key === 'params' || key === 'id' || key === 'local';
    const defaulted = parent?.type === 'AssignmentPattern' && key === 'left';
    if (declares || defaulted) names.add(nameOf(node));
  });
  return names;
}

function visit(
  node: Node,
  parent: Node | undefined,
  key: string,
  see: (node: Node, parent: Node | undefined, key: string) => void,
): void {
  see(node, parent, key);
  for (const [name, value] of Object.entries(node)) {
    for (const child of [value].flat()) if (isNode(child)) visit(child, node, name, see);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

if (import.meta.main) runCheck(checkBannedGlobals);
