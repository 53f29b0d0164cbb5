import type {
  LanguageModelV3StreamPart,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import type { Result } from './read-result.ts';
import { contentV4 } from './to-v3.ts';

/** A part of a stream, of either version. */
export type StreamPart = LanguageModelV3StreamPart | LanguageModelV4StreamPart;

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;
type Block = Extract<LanguageModelV4Content, { type: 'text' | 'reasoning' }>;
type Metadata = Block['providerMetadata'];

/** More than this is no answer any more: over what a turn and its state may be. */
const CHARACTERS = 16 * 1024 * 1024;

/**
 * What a provider answered, put together from its stream: the parts, their order and the provider's
 * state are those of an answer that comes at once.
 */
export class StreamedContent {
  readonly #content: LanguageModelV4Content[] = [];
  /** Texts and reasoning that are being written, by where they stand in the content. */
  readonly #open = new Map<string, number>();
  #finish: Finish | undefined;
  #characters = 0;

  /** Undefined: the provider has not said that it is done. */
  get finish(): Finish | undefined {
    return this.#finish;
  }

  /**
   * Takes a part. The answer is the text that it adds. Throws what the provider reports as an
   * error, and RangeError when it does not stop.
   */
  add(part: StreamPart): string {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#extend('text', part.id, part.providerMetadata, deltaOf(part));
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.#extend('reasoning', part.id, part.providerMetadata, deltaOf(part));
        return '';
      case 'tool-input-delta':
        this.#count(part.delta);
        return '';
      case 'custom':
        // Says of the stream that it begins; an answer that comes at once has no such part.
        if (part.kind !== 'anthropic.message_start') this.#content.push(part);
        return '';
      case 'file':
        this.#content.push(isTagged(part) ? part : contentV4(part));
        return '';
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'reasoning-file':
      case 'source':
        this.#content.push(part);
        return '';
      case 'finish':
        this.#finish = part;
        return '';
      case 'error':
        throw part.error;
      case 'stream-start':
      case 'response-metadata':
      case 'tool-input-start':
      case 'tool-input-end':
      case 'ping':
      case 'raw':
        return '';
    }
  }

  /** All of it. Undefined: it broke off before the provider said why it stops. */
  result(): Result | undefined {
    if (this.#finish === undefined) return undefined;
    const { finishReason, usage } = this.#finish;
    const isUnsaid = finishReason.unified === 'other' && finishReason.raw === undefined;
    return isUnsaid ? undefined : { content: this.#content, finishReason, usage };
  }

  /** State of the provider that comes later, a signature most often, is the one that counts. */
  #extend(type: Block['type'], id: string, state: Metadata, delta: string): string {
    this.#count(delta);
    const key = `${type} ${id}`;
    const at = this.#open.get(key) ?? this.#content.length;
    const block = this.#content[at];
    const text = block !== undefined && 'text' in block ? block.text : '';
    const known = block?.type === type ? block.providerMetadata : undefined;
    const providerMetadata = state ?? known;
    this.#content[at] = { type, text: text + delta, ...(providerMetadata && { providerMetadata }) };
    this.#open.set(key, at);
    return delta;
  }

  #count(delta: string): void {
    this.#characters += delta.length;
    if (this.#characters > CHARACTERS) throw new RangeError(`more than ${CHARACTERS} characters`);
  }
}

const deltaOf = (part: StreamPart): string => ('delta' in part ? part.delta : '');

type File = Extract<StreamPart, { type: 'file' }>;

function isTagged(file: File): file is Extract<LanguageModelV4Content, { type: 'file' }> {
  return typeof file.data === 'object' && !(file.data instanceof Uint8Array);
}
