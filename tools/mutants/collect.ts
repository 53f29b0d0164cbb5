/** A test of a file under test, which can be run again and again without loading anything anew. */
export interface CollectedTest {
  /** File and titles: unique. */
  readonly id: string;
  readonly file: string;
  run(): Promise<void>;
}

type Step = () => unknown;
type Hook = 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll';

interface Group {
  readonly title: string;
  readonly parent: Group | undefined;
  readonly steps: Readonly<Record<Hook, Step[]>>;
}

interface Collecting {
  readonly tests: CollectedTest[];
  readonly ids: Map<string, number>;
  readonly finished: Step[];
  group: Group;
}

const collecting: Collecting = {
  tests: [],
  ids: new Map(),
  finished: [],
  group: groupIn(undefined, ''),
};

/**
 * Loads a test file, and answers its tests. No change is active then: what a table of cases
 * computes as it is loaded tells none.
 */
export async function collectTests(file: string, url: string): Promise<readonly CollectedTest[]> {
  collecting.tests.length = 0;
  collecting.group = groupIn(undefined, file);
  await import(url);
  return [...collecting.tests];
}

export function addGroup(title: string, body: Step): void {
  const before = collecting.group;
  collecting.group = groupIn(before, title);
  body();
  collecting.group = before;
}

export function addTest(title: string, body: Step): void {
  const { group } = collecting;
  const groups = lineOf(group);
  const name = [...groups.map((each) => each.title), title].join(' > ');
  const times = collecting.ids.get(name) ?? 0;
  collecting.ids.set(name, times + 1);
  collecting.tests.push({
    id: times === 0 ? name : `${name} (${times + 1})`,
    file: groups[0]?.title ?? '',
    run: async () => await runInside(groups, body),
  });
}

export function addStep(hook: Hook, step: Step): void {
  collecting.group.steps[hook].push(step);
}

export function addFinished(step: Step): void {
  collecting.finished.push(step);
}

async function runInside(groups: readonly Group[], body: Step): Promise<void> {
  const all = (hook: Hook): Step[] => groups.flatMap(({ steps }) => steps[hook]);
  collecting.finished.length = 0;
  try {
    for (const step of [...all('beforeAll'), ...all('beforeEach')]) await step();
    await body();
  } finally {
    const after = [...all('afterEach').toReversed(), ...collecting.finished.toReversed()];
    for (const step of [...after, ...all('afterAll').toReversed()]) await step();
  }
}

function groupIn(parent: Group | undefined, title: string): Group {
  const steps = { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] };
  return { title, parent, steps };
}

function lineOf(group: Group): readonly Group[] {
  return group.parent === undefined ? [group] : [...lineOf(group.parent), group];
}
