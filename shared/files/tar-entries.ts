import { ArchiveRefused } from './archive-refused.ts';
import type { ByteReader } from './byte-reader.ts';
import { BLOCK, type TarFields, tarFields, textOf } from './tar-fields.ts';

/** An entry as its headers together tell it. */
export interface TarHeader extends Pick<TarFields, 'permissions' | 'size' | 'type'> {
  /** As the archive has it. */
  readonly path: string;
  /** Of a link. */
  readonly target: string;
}

/** Of a header that holds a long name; names are checked later, this is for memory. */
const LONGEST_EXTENSION = 64 * 1024;

/** What headers before an entry's own say of it. */
interface Extension {
  readonly path?: string;
  readonly target?: string;
  readonly size?: number;
}

/**
 * The entries of a tar file with their long names, whatever they are. The body of each is read by
 * the caller, all of it, before the next is asked for. Throws ArchiveRefused for a file that is
 * damaged, cut off, goes on behind its end, or says two things of one entry: readers differ there.
 */
export async function* tarEntries(reader: ByteReader): AsyncGenerator<TarHeader> {
  let extension: Extension = {};
  for (;;) {
    const block = await wholeBlock(reader);
    if (isBlank(block)) break;
    const fields = tarFields(block);
    const more = await extensionOf(reader, fields);
    if (more !== undefined) {
      extension = both(extension, more);
      continue;
    }
    yield headerOf(fields, extension);
    await skipPadding(reader, fields.size);
    extension = {};
  }
  if (Object.keys(extension).length > 0) throw new ArchiveRefused('', 'ends behind a long name');
  // Whole records of blank blocks; what else follows, other readers might take for entries.
  for await (const piece of reader.upTo(Infinity)) {
    if (!isBlank(piece)) throw new ArchiveRefused('', 'goes on behind its end');
  }
}

/** Undefined for an entry of its own. */
async function extensionOf(reader: ByteReader, header: TarFields): Promise<Extension | undefined> {
  switch (header.type) {
    case 'x':
      return paxExtension(await extensionBody(reader, header), ['path', 'linkpath', 'size']);
    case 'g':
      // A comment, as `git archive` writes it; names for all entries are a trick.
      return paxExtension(await extensionBody(reader, header), []);
    case 'L':
      return { path: textOf(await extensionBody(reader, header)) };
    case 'K':
      return { target: textOf(await extensionBody(reader, header)) };
    default:
      return undefined;
  }
}

async function extensionBody(reader: ByteReader, { size }: TarFields): Promise<Buffer> {
  if (size > LONGEST_EXTENSION) {
    throw new ArchiveRefused('', `has a header of over ${LONGEST_EXTENSION} bytes`);
  }
  const body = await reader.read(size);
  if (body.byteLength < size) throw cutOff();
  await skipPadding(reader, size);
  return body;
}

/** Records of `length key=value\n`, the length in bytes and of all of it. */
function paxExtension(body: Buffer, known: readonly string[]): Extension {
  const found = new Map<string, string>();
  for (let at = 0; at < body.byteLength; ) {
    const space = body.indexOf(' ', at);
    const length = Number(/^[1-9][0-9]{0,5}$/.exec(body.toString('latin1', at, space))?.[0]);
    const record = body.subarray(space + 1, at + length);
    const equals = record.indexOf('=');
    if (space < 0 || equals < 1 || at + length > body.byteLength || record.at(-1) !== 0x0a) {
      throw new ArchiveRefused('', 'has a pax header that is none');
    }
    const key = textOf(record.subarray(0, equals));
    const value = record.subarray(equals + 1, -1);
    if (key.startsWith('GNU.sparse.')) throw new ArchiveRefused('', 'has a sparse file');
    if (['path', 'linkpath', 'size'].includes(key)) {
      if (!known.includes(key) || found.has(key) || value.includes(0)) {
        throw new ArchiveRefused('', `has a pax header with a ${key} that it can't have`);
      }
      found.set(key, textOf(value));
    }
    at += length;
  }
  const [path, target, size] = ['path', 'linkpath', 'size'].map((key) => found.get(key));
  return {
    ...(path !== undefined && { path }),
    ...(target !== undefined && { target }),
    ...(size !== undefined && { size: Number(size) }),
  };
}

function both(before: Extension, more: Extension): Extension {
  const twice = Object.keys(more).some((key) => key in before);
  if (twice) throw new ArchiveRefused(more.path ?? '', 'has two names, or two sizes');
  return { ...before, ...more };
}

function headerOf(fields: TarFields, extension: Extension): TarHeader {
  const { permissions, size, type } = fields;
  const path = extension.path ?? pathOf(fields);
  // A size that only a pax header could say is over every limit.
  if ((extension.size ?? size) !== size) throw new ArchiveRefused(path, 'has two sizes');
  return { path, permissions, size, type, target: extension.target ?? textOf(fields.target) };
}

function pathOf({ prefix, name }: TarFields): string {
  const folder = textOf(prefix);
  return folder === '' ? textOf(name) : `${folder}/${textOf(name)}`;
}

async function wholeBlock(reader: ByteReader): Promise<Buffer> {
  const block = await reader.read(BLOCK);
  if (block.byteLength < BLOCK) throw cutOff();
  return block;
}

async function skipPadding(reader: ByteReader, size: number): Promise<void> {
  const bytes = (BLOCK - (size % BLOCK)) % BLOCK;
  if ((await reader.read(bytes)).byteLength < bytes) throw cutOff();
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function cutOff(): ArchiveRefused {
  return new ArchiveRefused('', 'is cut off');
}
