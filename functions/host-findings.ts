import { statfs } from 'node:fs/promises';
import type { Finding } from '../shared/app/operators/examine.ts';

/** What the providers of the AI SDK read their keys from. */
const MODEL_KEYS = ['ANTHROPIC_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'OPENAI_API_KEY'] as const;

const MIB = 1024 * 1024;
/** Free space of a disk. */
const SCARCE = 1024 * MIB;
const FULL = 100 * MIB;

type Environment = Readonly<Record<string, string | undefined>>;

/** What only the process itself knows: its Node, its environment's keys by name, its disk. */
export async function hostFindings(
  environment: Environment,
  data?: string,
): Promise<readonly Finding[]> {
  return [
    nodeFinding('server node'),
    modelKeys(environment),
    ...(data === undefined ? [] : [await diskFinding(data)]),
  ];
}

export function nodeFinding(name: string): Finding {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= 24) return { name, health: 'ok', words: node };
  return { name, health: 'fail', words: node, remedy: 'Holdfast runs on Node 24 or newer' };
}

function modelKeys(environment: Environment): Finding {
  const set = MODEL_KEYS.filter((name) => (environment[name] ?? '') !== '');
  const words =
    set.length === 0
      ? `none of ${MODEL_KEYS.join(', ')} is set: models of these providers would not answer`
      : `${set.join(', ')} set`;
  return { name: 'model keys', health: 'ok', words };
}

/** Undefined rights or a folder that is not there are what its server says at start. */
export async function diskFinding(folder: string): Promise<Finding> {
  const name = 'disk';
  try {
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const words = `${Math.floor(free / MIB)} MiB free at ${folder}`;
    if (free >= SCARCE) return { name, health: 'ok', words };
    const remedy = 'make room, or move the data folder; see docs/runbook.md';
    return { name, health: free >= FULL ? 'warn' : 'fail', words, remedy };
  } catch {
    const words = `${folder} can't be looked at`;
    return { name, health: 'fail', words, remedy: 'is it there, and yours?' };
  }
}
