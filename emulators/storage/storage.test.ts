import { randomBytes } from 'node:crypto';
import { type Bucket, type GetFilesResponse, Storage } from '@google-cloud/storage';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type StorageEmulator, startStorageEmulator } from './start.ts';

// Google's own client asks; its checksums are computed by its own code.
let emulator: StorageEmulator;
let storage: Storage;
let bucket: Bucket;
let count = 0;

beforeAll(async () => {
  emulator = await startStorageEmulator();
  storage = open();
});
beforeEach(async () => {
  count += 1;
  [bucket] = await storage.createBucket(`bucket-${count}`);
});
afterEach(() => emulator.plan(undefined));
afterAll(() => emulator.close());

const open = () => new Storage({ apiEndpoint: emulator.url, projectId: 'p' });
const code = (status: number) => ({ code: status });
const single = { resumable: false } as const;
const save = async (name: string, body: string | Buffer = name) => {
  await bucket.file(name).save(body, single);
  const [metadata] = await bucket.file(name).getMetadata();
  return metadata;
};
const bodyOf = async (name: string, generation?: string) => {
  const [body] = await bucket.file(name, generation === undefined ? {} : { generation }).download();
  return body.toString();
};

describe('uploads', () => {
  test('a single request keeps type and metadata, and the client finds both checksums right', async () => {
    const file = bucket.file('a/b.txt');
    for (const validation of ['md5', 'crc32c'] as const) {
      await file.save('hello', {
        ...single,
        validation,
        contentType: 'text/plain',
        metadata: { metadata: { k: 'v' } },
      });
    }
    const [metadata] = await file.getMetadata();
    expect(metadata).toMatchObject({ contentType: 'text/plain', size: '5', metadata: { k: 'v' } });
    // Computed by another implementation.
    expect(metadata.crc32c).toBe('mnG7TA==');
    expect(await bodyOf('a/b.txt')).toBe('hello');
  });

  test('an upload that names another checksum than it has writes nothing', async () => {
    const wrong = { md5Hash: 'AAAAAAAAAAAAAAAAAAAAAA==' };
    const put = bucket.file('x').save('body', { ...single, validation: false, metadata: wrong });
    await expect(put).rejects.toMatchObject(code(400));
    expect(await bucket.file('x').exists()).toEqual([false]);
  });

  test('a resumable one comes whole, in one piece and in pieces of 256 KiB', async () => {
    const body = randomBytes(700_000);
    await bucket.file('whole').save(body, { resumable: true });
    await bucket.file('pieces').save(body, { resumable: true, chunkSize: 256 * 1024 });
    for (const name of ['whole', 'pieces']) {
      const [found] = await bucket.file(name).download();
      expect(found.equals(body)).toBe(true);
    }
  });

  test('a broken resumable one says how far it came, and goes on from there', async () => {
    const [uri] = await bucket.file('resumed').createResumableUpload({});
    const body = randomBytes(400_000);
    const piece = (range: string, bytes?: Buffer) =>
      fetch(uri, {
        method: 'PUT',
        headers: { 'content-range': `bytes ${range}/400000` },
        body: bytes === undefined ? '' : new Uint8Array(bytes),
      });
    const first = await piece('0-262143', body.subarray(0, 262_144));
    const asked = await piece('*');
    expect([first.status, asked.status]).toEqual([308, 308]);
    expect(asked.headers.get('range')).toBe('bytes=0-262143');
    expect((await piece('262144-399999', body.subarray(262_144))).status).toBe(200);
    expect((await piece('*')).status).toBe(200);
    const [found] = await bucket.file('resumed').download();
    expect(found.equals(body)).toBe(true);
  });

  test('an empty object is one, and any name is taken as it is', async () => {
    const name = 'ü/ä b?c#d%25+&=/\u{1F600}.json';
    await save('empty', '');
    await save(name, 'x');
    expect(await bodyOf('empty')).toBe('');
    expect(await bodyOf(name)).toBe('x');
  });
});

describe('preconditions', () => {
  test.each([false, true])('create-only creates once (resumable %s)', async (resumable) => {
    const create = () =>
      bucket.file('once').save('1', { resumable, preconditionOpts: { ifGenerationMatch: 0 } });
    await create();
    await expect(create()).rejects.toMatchObject(code(412));
  });

  test('a write on top of a generation happens once', async () => {
    const { generation } = await save('cas');
    const put = () =>
      bucket.file('cas').save('2', {
        ...single,
        preconditionOpts: { ifGenerationMatch: generation ?? '' },
      });
    await put();
    await expect(put()).rejects.toMatchObject(code(412));
  });

  test('each of the four is judged, for a change by 412 and for a read by 304', async () => {
    const { generation = '' } = await save('x');
    const url = `${emulator.url}/storage/v1/b/${bucket.name}/o/x`;
    const ask = async (query: string, method = 'GET') =>
      (await fetch(`${url}?${query}`, { method, ...(method === 'PATCH' && { body: '{}' }) }))
        .status;
    expect(await ask(`ifGenerationMatch=${generation}&ifMetagenerationMatch=1`)).toBe(200);
    expect(await ask('ifGenerationMatch=1')).toBe(412);
    expect(await ask('ifMetagenerationMatch=2')).toBe(412);
    expect(await ask(`ifGenerationNotMatch=${generation}`)).toBe(304);
    expect(await ask('ifMetagenerationNotMatch=1')).toBe(304);
    expect(await ask(`ifGenerationNotMatch=${generation}`, 'PATCH')).toBe(412);
    expect(await ask('ifMetagenerationNotMatch=1', 'PATCH')).toBe(412);
    expect(await ask('ifMetagenerationMatch=1', 'PATCH')).toBe(200);
    expect(await ask('ifMetagenerationMatch=1', 'DELETE')).toBe(412);
  });
});

describe('reads', () => {
  test('a range is inclusive at both ends', async () => {
    await save('range', '0123456789');
    const [middle] = await bucket.file('range').download({ start: 2, end: 4 });
    expect(middle.toString()).toBe('234');
    const last = await fetch(`${emulator.url}/storage/v1/b/${bucket.name}/o/range?alt=media`, {
      headers: { range: 'bytes=-3' },
    });
    expect([last.status, last.headers.get('content-range')]).toEqual([206, 'bytes 7-9/10']);
    const beyond = bucket.file('range').download({ start: 10, end: 12 });
    await expect(beyond).rejects.toMatchObject(code(416));
  });

  test('what is not there is 404, object and bucket', async () => {
    await expect(bucket.file('none').download()).rejects.toMatchObject(code(404));
    await expect(bucket.file('none').delete()).rejects.toMatchObject(code(404));
    const nowhere = storage.bucket('nowhere').file('x').save('x', single);
    await expect(nowhere).rejects.toMatchObject(code(404));
  });

  test('metadata changes by key, and raises the metageneration alone', async () => {
    const { generation } = await save('meta');
    await bucket.file('meta').setMetadata({ metadata: { a: '1', b: '2' } });
    await bucket.file('meta').setMetadata({ cacheControl: 'no-store', metadata: { a: null } });
    const [found] = await bucket.file('meta').getMetadata();
    expect(found).toMatchObject({ generation, metageneration: '3', cacheControl: 'no-store' });
    expect(found.metadata).toEqual({ b: '2' });
  });
});

describe('listing', () => {
  const names = ['t/1/a', 't/1/b', 't/2/a', 't/x', 't/y', 't/ä', 't/\uffee', 't/\u{1F600}', 'u'];

  async function walk(query: object): Promise<string[]> {
    const walked: string[] = [];
    for (let next: object | null = { autoPaginate: false, ...query }; next !== null; ) {
      const page: GetFilesResponse = await bucket.getFiles(next);
      const { prefixes = [] } = page[2] as { prefixes?: string[] };
      walked.push(...prefixes, ...page[0].map(({ name }) => name));
      next = page[1];
    }
    return walked;
  }

  beforeEach(() => Promise.all(names.toReversed().map((name) => save(name))));

  test('names come by prefix in the order of their bytes, whatever the page', async () => {
    expect(await walk({ prefix: 't/' })).toEqual(names.slice(0, -1));
    expect(await walk({ prefix: 't/', maxResults: 2 })).toEqual(names.slice(0, -1));
    expect(await walk({ startOffset: 't/2', endOffset: 't/y' })).toEqual(['t/2/a', 't/x']);
  });

  test('a delimiter gathers what lies below, and prefixes count in a page', async () => {
    const found = await walk({ prefix: 't/', delimiter: '/', maxResults: 1 });
    expect(found).toEqual(['t/1/', 't/2/', ...names.slice(3, -1)]);
  });

  test('deleting one page moves nothing past the next', async () => {
    const query = { autoPaginate: false, prefix: 't/', maxResults: 4 };
    const [files, next] = await bucket.getFiles(query);
    await Promise.all(files.map((file) => file.delete()));
    const [rest] = await bucket.getFiles({ ...next });
    expect(rest.map(({ name }) => name)).toEqual(names.slice(4, -1));
  });
});

describe('copies', () => {
  test('a rewrite, a move and a composition', async () => {
    await save('a', 'one ');
    await save('b', 'two');
    await bucket.file('a').copy(bucket.file('copy'));
    await bucket.file('copy').move('moved');
    await bucket.combine(['moved', 'b'], 'both');
    expect(await bodyOf('both')).toBe('one two');
    expect(await bucket.file('copy').exists()).toEqual([false]);
    const [metadata] = await bucket.file('both').getMetadata();
    expect([metadata.md5Hash, metadata.componentCount]).toEqual([undefined, 2]);
  });
});

describe('object versioning', () => {
  beforeEach(() => bucket.setMetadata({ versioning: { enabled: true } }));
  const versions = async () =>
    (await bucket.getFiles({ versions: true }))[0].map(({ metadata }) => metadata.generation);

  test('an old generation stays readable until it is deleted by its number', async () => {
    const first = await save('v', '1');
    const second = await save('v', '2');
    const old = String(first.generation);
    expect(await bodyOf('v')).toBe('2');
    expect(await bodyOf('v', old)).toBe('1');
    await bucket.file('v').delete();
    await expect(bodyOf('v')).rejects.toMatchObject(code(404));
    expect(await versions()).toEqual([first.generation, second.generation]);
    const again = bucket.file('v').save('3', {
      ...single,
      preconditionOpts: { ifGenerationMatch: 0 },
    });
    await again;
    await bucket.file('v', { generation: old }).delete();
    expect(await versions()).toHaveLength(2);
  });
});

describe('planned faults', () => {
  // One upload without a precondition can switch the repetitions off for every later call of the
  // same client.
  const fresh = () => open().bucket(bucket.name).file('x');
  const createOnly = { ...single, preconditionOpts: { ifGenerationMatch: 0 } };

  test('a refused call did nothing, and the client repeats it', async () => {
    let refusals = 1;
    emulator.plan(() => (refusals-- > 0 ? 'unavailable' : undefined));
    await fresh().save('x', createOnly);
    expect(await bodyOf('x')).toBe('x');
  });

  test('a call whose answer is lost was done: its repetition meets itself', async () => {
    let losses = 1;
    emulator.plan(() => (losses-- > 0 ? 'lost-answer' : undefined));
    const put = fresh().save('x', createOnly);
    await expect(put).rejects.toMatchObject(code(412));
    expect(await bodyOf('x')).toBe('x');
  });
});
