import type { LanguageModel, Model, ModelTurn } from '../shared/agent/index.ts';
import { isLanguageModel } from '../shared/models/ai-sdk/any-language-model.ts';
import { lazyModel } from '../shared/models/ai-sdk/lazy-model.ts';
import { ask } from '../shared/models/model.ts';
import type { Json, JsonObject } from '../shared/domain/json.ts';
import { recordedRequest } from './recorded-request.ts';
import { Recording } from './recording.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface RecordedModelOptions {
  /** The JSON file of the recording: `new URL('clerk.json', import.meta.url)`. */
  readonly file: string | URL;
  /** Asks the model, and writes the file anew. Default: false, and the file is played. */
  readonly record?: boolean;
  /** What is asked when it records. */
  readonly model?: Model | LanguageModel;
  /** Taken out of what is recorded, beside keys and tokens of known forms. */
  readonly secrets?: readonly (string | RegExp)[];
}

/**
 * A model that is recorded once against a provider, and played from then on: without the provider,
 * its key and its price. A request that is not in the recording is an error that names what
 * differs. Throws an Error where there is no recording to play.
 */
export function recordedModel(options: RecordedModelOptions): Model {
  const { file, model, record = false, secrets = [] } = options;
  const clean = withoutSecrets(secrets);
  if (!record) return played(Recording.read(file), clean);
  if (model === undefined) throw new TypeError('model: what is to be recorded?');
  return recorded(isLanguageModel(model) ? lazyModel(model) : model, file, clean);
}

function recorded(model: Model, file: string | URL, clean: (value: Json) => Json): Model {
  const { ceiling, name, provider, window } = model;
  const about = {
    name,
    ...(provider !== undefined && { provider }),
    ...(window !== undefined && { window }),
    ...(ceiling !== undefined && { ceiling }),
  };
  const recording = Recording.create(file, about);
  return {
    ...about,
    async turn(request, signal, call) {
      const turn = await ask(model, request, signal, call);
      recording.add(clean(recordedRequest(request)), clean(kept(turn)));
      return turn;
    },
  };
}

function played(recording: Recording, clean: (value: Json) => Json): Model {
  const { ceiling, name, provider, window } = recording.model;
  return {
    name,
    ...(provider !== undefined && { provider }),
    ...(window !== undefined && { window }),
    ...(ceiling !== undefined && { ceiling }),
    async turn(request, _signal, { draft }) {
      const turn = told(recording.turnFor(clean(recordedRequest(request))));
      if (draft !== undefined && turn.text !== undefined) await draft.write(turn.text);
      return turn;
    },
  };
}

const BYTES = 'base64';

/** Bytes as text; everything else of a turn is JSON. */
function kept(turn: ModelTurn): Json {
  // A Buffer makes JSON of itself before the replacer is asked.
  const text = JSON.stringify(turn, function (this: Record<string, unknown>, key, value: unknown) {
    const given = this[key];
    if (!(given instanceof Uint8Array)) return value;
    return { [BYTES]: Buffer.from(given).toString('base64') };
  });
  return JSON.parse(text) as Json;
}

function told(turn: Json): ModelTurn {
  const text = JSON.stringify(turn);
  return JSON.parse(text, (key, value: JsonObject) =>
    key === 'raw' && typeof value[BYTES] === 'string'
      ? new Uint8Array(Buffer.from(value[BYTES], 'base64'))
      : value,
  ) as ModelTurn;
}
