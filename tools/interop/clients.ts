import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, type Found, python, pythonWith, pythonWithSdk, run } from './python-env.ts';

export interface ClientProgram {
  /** As tools/interop/expected.ts knows it. */
  readonly name: string;
  readonly about: string;
  readonly ways: readonly string[];
  /** The card of its server names gRPC, too. */
  readonly grpc: boolean;
  /** Installs what it needs. */
  readonly find: () => Promise<Found>;
  /** What it is run with, after the program that was found. */
  readonly args: (url: string, inspector: string) => readonly string[];
}

const HTTP = ['JSONRPC 1.0', 'HTTP+JSON 1.0'];
const NEW = [...HTTP, 'GRPC 1.0'];
const OLD = ['JSONRPC 0.3', 'HTTP+JSON 0.3'];
const bindings = OLD.map((way) => way.split(' ')[0] ?? '');

export const PYTHON: ClientProgram = {
  name: 'python',
  about: 'a2a-sdk 1.3.0',
  ways: [...NEW, ...OLD],
  grpc: true,
  find: pythonWithSdk,
  args: (url) => [python('client.py'), url, ...NEW, ...OLD],
};

export const CLIENTS: readonly ClientProgram[] = [
  PYTHON,
  {
    name: 'python 0.3',
    about: 'a2a-sdk 0.3.26',
    ways: OLD,
    grpc: true,
    find: () => pythonWith([python('requirements-0.3.txt')]),
    args: (url, inspector) => [python('client_0_3.py'), url, inspector, ...bindings],
  },
  {
    name: 'go',
    about: 'a2a-go 2.3.1',
    ways: [...NEW, 'JSONRPC 0.3'],
    grpc: true,
    find: buildGo,
    args: (url) => [url, ...NEW, 'JSONRPC 0.3'],
  },
  {
    name: 'java',
    about: 'a2a-java-sdk 0.3.2.Final',
    ways: OLD,
    grpc: true,
    find: () => fetchJars('java', OLD_JARS),
    args: (url) => [...java('java', OLD_JARS), url, ...bindings],
  },
  {
    name: 'java 1.0',
    about: 'a2a-java-sdk 1.0.0.Alpha3',
    ways: HTTP,
    grpc: false,
    find: () => fetchJars('java-1.0', NEW_JARS),
    args: (url) => [...java('java-1.0', NEW_JARS), url, ...bindings],
  },
  {
    name: 'adk',
    about: 'google-adk 2.13.0',
    ways: ['ADK'],
    grpc: false,
    find: () => pythonWith([python('requirements-adk.txt')]),
    args: (url) => [python('adk.py'), url],
  },
];

async function buildGo(): Promise<Found> {
  const command = join(CACHE, 'go-client');
  const { kind, words } = await run('go', ['build', '-o', command, '.'], 'tools/interop/go');
  return kind === 'done' ? { kind: 'found', command } : { kind: 'missing', why: words };
}

const OLD_JARS = join(CACHE, 'jars-0.3.2.Final');
const NEW_JARS = join(CACHE, 'jars-1.0.0.Alpha3');

/** The program in that folder, over those jars. */
function java(folder: string, jars: string): readonly string[] {
  return ['-cp', join(jars, '*'), `tools/interop/${folder}/Converse.java`];
}

async function fetchJars(folder: string, jars: string): Promise<Found> {
  if (!existsSync(jars)) {
    const pom = ['-f', `tools/interop/${folder}/pom.xml`, 'dependency:copy-dependencies'];
    const { kind, words } = await run('mvn', ['-B', '-q', ...pom, `-DoutputDirectory=${jars}`]);
    if (kind === 'failed') return { kind: 'missing', why: words };
  }
  const { kind, words } = await run('java', ['--version']);
  return kind === 'done' ? { kind: 'found', command: 'java' } : { kind: 'missing', why: words };
}
