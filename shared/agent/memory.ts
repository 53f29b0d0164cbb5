import type { Recalled, RecalledTask } from '../app/agents.ts';
import { type Artifact, type Message, type Part, textOf } from '../domain/message.ts';
import type { Remembered } from '../domain/step.ts';
import type { ModelEntry } from '../models/model.ts';
import { ANSWER } from './shown-answer.ts';
import { shortened, tokensIn } from './tokens.ts';

/** What an author says about memory. */
export type MemoryDeclaration =
  | 'off'
  | Mode
  | {
      /** Default: `tasks`. */
      readonly mode?: Mode;
      /** Default: 16,000. */
      readonly tokens?: number;
    };

/** What becomes of tasks that do not fit: `tasks` leaves them out, `summary` sums them up. */
type Mode = 'tasks' | 'summary';
const MODES: readonly unknown[] = ['tasks', 'summary'] satisfies Mode[];

/** How an agent remembers. Undefined: not at all. */
export type Memory = { readonly mode: Mode; readonly tokens: number } | undefined;

/** Of memory in one request, unless the author says otherwise: some ten pages. */
const TOKENS = 16_000;
/** Of the budget, for one text: a long artifact is not to fill it alone. */
const SHARE = 4;
/** A text of fewer characters says nothing. */
const LEAST = 200;
/** Characters that count as a token at the least: what is cut to so many fits. */
const CHARACTERS = 3;

export function memoryOf(declared: MemoryDeclaration = 'tasks'): Memory {
  if (declared === 'off') return undefined;
  const { mode = 'tasks', tokens = TOKENS } =
    typeof declared === 'string' ? { mode: declared } : declared;
  return { mode, tokens };
}

export function isMemory(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === 'off' || MODES.includes(value);
  const { mode = 'tasks', tokens = TOKENS, ...more } = value as Record<string, unknown>;
  const isCount = Number.isSafeInteger(tokens) && Number(tokens) > 0;
  return MODES.includes(mode) && isCount && Object.keys(more).length === 0;
}

/**
 * Which of the tasks, newest first, fit into the budget. The newest is shortened until it fits; of
 * the others each is taken whole or not at all, but for its longest texts.
 */
export function remembered(
  { more, tasks }: Recalled,
  { mode, tokens }: NonNullable<Memory>,
): Remembered | undefined {
  if (tasks.length === 0) return undefined;
  const shown: { readonly taskId: string; readonly most: number }[] = [];
  let left = tokens;
  let most = Math.floor((tokens * CHARACTERS) / SHARE);
  for (const task of tasks) {
    const newest = shown.length === 0;
    while (newest && most >= LEAST && sizeOf(task, most) > left) most = Math.floor(most / 2);
    left -= sizeOf(task, most);
    if (left < 0) break;
    shown.unshift({ taskId: task.taskId, most });
  }
  const rest = tasks.slice(shown.length).map(({ taskId }) => taskId);
  if (mode === 'tasks' || rest.length === 0) return { shown, more: more || rest.length > 0 };
  return { shown, older: rest.toReversed(), more };
}

const sizeOf = (task: RecalledTask, most: number): number =>
  taskEntries(task, most).reduce((sum, entry) => sum + tokensIn(wordsOf(entry)), 0);

function wordsOf(entry: ModelEntry): string {
  if (entry.role === 'user') return textOf(entry.message);
  return entry.role === 'tool' ? JSON.stringify(entry.value) : (entry.text ?? '');
}

/** What a model is told of earlier tasks; of one that was removed meanwhile that it was there. */
export function memoryEntries(
  shown: Remembered['shown'],
  { tasks }: Pick<Recalled, 'tasks'>,
): readonly ModelEntry[] {
  return shown.flatMap(({ most, taskId }): readonly ModelEntry[] => {
    const task = tasks.find((each) => each.taskId === taskId);
    return task === undefined ? [{ role: 'notice', text: REMOVED }] : taskEntries(task, most);
  });
}

const REMOVED = '[An earlier task of this conversation was removed, and can not be shown.]';
/** Of tasks that are neither shown nor summed up. */
export const MORE: ModelEntry = {
  role: 'notice',
  text: '[This conversation began earlier. What was said before this is not shown.]',
};
const CUT = '[The beginning of this task is too long to be shown.]';
const SILENT = '[Done, without words.]';

/** What earlier tasks are summed up from, oldest first: within the budget, whatever they hold. */
export function olderEntries(
  { tasks }: Pick<Recalled, 'tasks'>,
  budget: number,
): { readonly entries: readonly ModelEntry[]; readonly shortened: boolean } {
  const most = Math.max(LEAST, Math.floor((budget * CHARACTERS) / (SHARE * tasks.length)));
  const entries = tasks.flatMap((task) => taskEntries(task, most));
  const whole = tasks.flatMap((task) => taskEntries(task, Number.POSITIVE_INFINITY));
  return { entries, shortened: JSON.stringify(entries) !== JSON.stringify(whole) };
}

/** Roles alternate: the client speaks first, and the agent has the last word. */
function taskEntries({ artifacts, cut, history }: RecalledTask, most: number): ModelEntry[] {
  const said: ModelEntry[] = cut ? [{ role: 'notice', text: CUT }] : [];
  for (const message of history) {
    if (message.role === 'user') said.push(userEntry(message, most));
    else addWords(said, textsOf(spokenIn(message), most).join('\n'));
  }
  const spoken = said.map((entry) => (entry.role === 'model' ? entry.text : undefined));
  for (const artifact of artifacts) {
    const words = textsOf(artifact.parts, most).join('\n');
    // Words that are an artifact, too, are not shown twice.
    if (words === '' || spoken.includes(words)) continue;
    addWords(said, artifact.artifactId === ANSWER ? words : `[${nameOf(artifact)}]\n${words}`);
  }
  if (said.at(-1)?.role !== 'model') addWords(said, SILENT);
  return said;
}

/** Data beside words is for the client's program: the schema of a question, for instance. */
function spokenIn({ parts }: Message): readonly Part[] {
  const texts = parts.filter((part) => 'text' in part);
  return texts.length > 0 ? texts : parts;
}

function userEntry({ messageId, parts }: Message, most: number): ModelEntry {
  const texts = textsOf(parts, most).map((text): Part => ({ text }));
  return { role: 'user', message: { messageId, role: 'user', parts: texts } };
}

function addWords(said: ModelEntry[], text: string): void {
  const last = said.at(-1);
  if (text === '') return;
  if (last?.role !== 'model') said.push({ role: 'model', text, calls: [] });
  else said.splice(-1, 1, { ...last, text: `${last.text ?? ''}\n\n${text}` });
}

const nameOf = ({ artifactId, name }: Artifact): string => `artifact ${name ?? artifactId}`;

/** Files and links by what they are called. */
function textsOf(parts: readonly Part[], most: number): readonly string[] {
  return parts.map((part) => {
    if ('text' in part) return shortened(part.text, most);
    if ('data' in part) return shortened(JSON.stringify(part.data), most);
    const { filename = 'a file', mediaType = 'of an unknown type' } = part;
    if ('url' in part) return `[a link: ${shortened(part.url, most)}]`;
    return `[${filename} (${mediaType}, ${part.raw.byteLength} bytes)]`;
  });
}
