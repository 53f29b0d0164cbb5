// One process of the measure of files: `step.ts <what> <folder>`. Prints what it took, as JSON.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolderBlobs } from '../../shared/embedded/folder-blobs.ts';
import { createWorkspaces } from '../../shared/files/workspaces.ts';
import type { FilesCommit, Repository, Saved, Workspace } from '../../shared/ports/workspaces.ts';
import { systemIds } from '../../shared/system/system-ids.ts';
import { slowed, type Traffic } from './slow-bucket.ts';
import { tarAndUpload } from './tar-baseline.ts';
import { change, type Workload } from './workload.ts';

/** What one operation took. */
export interface Took {
  readonly milliseconds: number;
  /** Of processor time, in milliseconds. */
  readonly cpu: number;
  readonly traffic: Traffic;
}

export interface StepResult {
  readonly took: Readonly<Record<string, Took>>;
  /** The most that the process ever had, in bytes; its own start included. */
  readonly peak: number;
  readonly packs: number;
}

interface State {
  readonly load: Workload;
  readonly repository: Repository;
  readonly commit: FilesCommit | undefined;
  readonly tasks: number;
}

const LIMITS = { count: 100_000, bytes: 2 ** 31, fileBytes: 2 ** 30, depth: 32 };
const [what = '', root = ''] = process.argv.slice(2);
const { blobs, traffic } = slowed(openFolderBlobs({ root: join(root, 'bucket') }));
const stateFile = join(root, 'state.json');
let state: State = JSON.parse(readFileSync(stateFile, 'utf8'));
const took: Record<string, Took> = {};

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const [began, used, before] = [performance.now(), process.cpuUsage(), traffic()];
  const result = await work();
  const milliseconds = performance.now() - began;
  const { user, system } = process.cpuUsage(used);
  const after = traffic();
  took[name] = {
    milliseconds,
    cpu: (user + system) / 1_000,
    traffic: {
      requests: after.requests - before.requests,
      up: after.up - before.up,
      down: after.down - before.down,
    },
  };
  return result;
}

async function save(workspace: Workspace, name: string): Promise<Saved> {
  const { repository, commit, tasks } = state;
  const parents = commit === undefined ? [] : [commit.id];
  const words = { author: 'bench', message: `task ${tasks}`, at: 0, parents };
  const saved = await timed(name, () => workspace.save(repository, words));
  const kept = repository.packs.filter((pack) => !saved.replaced.includes(pack.name));
  const packs = [...kept, ...saved.added];
  state = {
    ...state,
    repository: { ...repository, packs },
    commit: saved.commit,
    tasks: tasks + 1,
  };
  return saved;
}

function workspaces() {
  const scratch = join(root, 'scratch');
  return createWorkspaces({ blobs, ids: systemIds(), scratch, keptBytes: 2 ** 32 });
}

const STEPS: Readonly<Record<string, () => Promise<void>>> = {
  /** Everything in one archive, as it lies in `set`. */
  async tar() {
    const name = `archives/${state.tasks}-${process.pid}.tar.gz`;
    await timed('save', () => tarAndUpload(blobs, name, join(root, 'set')));
  },
  async first() {
    const workspace = await workspaces().open(state.repository, undefined, LIMITS);
    cpSync(join(root, 'set'), workspace.folder, { recursive: true });
    await save(workspace, 'save');
  },
  /** A process that has nothing: restores, changes ten files, saves, and is used again. */
  async task() {
    const engine = workspaces();
    const { commit, repository } = state;
    const workspace = await timed('cold', () => engine.open(repository, commit, LIMITS));
    change(workspace.folder, state.load, 10, state.tasks);
    await save(workspace, 'save');
    await workspace.close();
    const open = () => engine.open(state.repository, commit, LIMITS);
    await (await timed('warm', open)).close();
  },
  /** A process that goes on: 97 tasks, one after the other. */
  async tasks() {
    const engine = workspaces();
    for (let count = 0; count < 97; count += 1) {
      const workspace = await engine.open(state.repository, state.commit, LIMITS);
      change(workspace.folder, state.load, 10, state.tasks);
      const { replaced } = await save(workspace, `save ${count}`);
      await workspace.close();
      await engine.discard(state.repository.prefix, replaced);
    }
  },
  async restore() {
    const { commit, repository } = state;
    await timed('cold', () => workspaces().open(repository, commit, LIMITS));
  },
};

await STEPS[what]?.();
writeFileSync(stateFile, JSON.stringify(state));
const peak = process.resourceUsage().maxRSS * 1_024;
const result: StepResult = { took, peak, packs: state.repository.packs.length };
process.stdout.write(`${JSON.stringify(result)}\n`);
