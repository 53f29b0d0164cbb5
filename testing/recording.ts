import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Json } from '../shared/domain/json.ts';
import { differencesOf } from './differences.ts';

const json: z.ZodType<Json> = z.json();

const schema = z.object({
  /** Of the form of the file. */
  recording: z.literal(1),
  /** What the model said of itself. */
  model: z.object({
    name: z.string(),
    provider: z.string().optional(),
    window: z.number().optional(),
    ceiling: z.enum(['none', 'metadata', 'redacted', 'full']).optional(),
  }),
  turns: z.array(z.object({ request: json, turn: json })),
});

export type RecordingFile = z.infer<typeof schema>;

/** A request that a recording does not have: what the test asks of the model has changed. */
export class NotRecorded extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotRecorded';
  }
}

/** What a model was asked and answered, in a file. */
export class Recording {
  readonly #path: string;
  readonly #name: string;
  readonly #file: RecordingFile;
  /** Places of turns that were played. */
  readonly #played = new Set<number>();

  private constructor(path: string, file: RecordingFile) {
    this.#path = path;
    this.#name = basename(path);
    this.#file = file;
  }

  /** Throws an Error that says how to make one where there is none, or what is wrong with it. */
  static read(file: string | URL): Recording {
    const path = typeof file === 'string' ? file : fileURLToPath(file);
    if (!existsSync(path))
      throw new Error(`there is no recording ${path}: run the test once with record: true`);
    const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    if (parsed.success) return new Recording(path, parsed.data);
    throw new Error(`${path} is no recording: ${z.prettifyError(parsed.error)}`);
  }

  /** A new one, in the place of any that is there. */
  static create(file: string | URL, model: RecordingFile['model']): Recording {
    const path = typeof file === 'string' ? file : fileURLToPath(file);
    return new Recording(path, { recording: 1, model, turns: [] });
  }

  get model(): RecordingFile['model'] {
    return this.#file.model;
  }

  /** Written at once: a test that fails later has recorded what came before. */
  add(request: Json, turn: Json): void {
    this.#file.turns.push({ request, turn });
    writeFileSync(this.#path, `${JSON.stringify(this.#file, undefined, 2)}\n`);
  }

  /**
   * The turn that was answered to such a request: to the same one the next, and the last again.
   * Throws NotRecorded, which names what differs.
   */
  turnFor(request: Json): Json {
    const { turns } = this.#file;
    const fitting = turns.flatMap((each, at) =>
      differencesOf(each.request, request).length === 0 ? [at] : [],
    );
    const at = fitting.find((each) => !this.#played.has(each)) ?? fitting.at(-1);
    const found = at === undefined ? undefined : turns[at];
    if (at === undefined || found === undefined) throw this.#notRecorded(request);
    this.#played.add(at);
    return found.turn;
  }

  #notRecorded(request: Json): NotRecorded {
    const [nearest] = this.#file.turns
      .map((each, at) => ({ at, differences: differencesOf(each.request, request) }))
      .toSorted((a, b) => a.differences.length - b.differences.length);
    if (nearest === undefined) return new NotRecorded(`${this.#name} has no turn.`);
    const shown = nearest.differences
      .slice(0, MOST)
      .map(({ path, words }) => `  ${path}: ${words}`);
    const more = nearest.differences.length - shown.length;
    return new NotRecorded(
      [
        `${this.#name} has no turn for this request. From that of turn ${nearest.at + 1} of ${this.#file.turns.length} it differs in`,
        ...shown,
        ...(more > 0 ? [`  and ${more} more`] : []),
        'Record it again, or ask as before.',
      ].join('\n'),
    );
  }
}

const MOST = 10;
