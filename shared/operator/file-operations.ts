import { z } from 'zod';
import { FILES_OF, runCommits, runFile, runFiles } from '../app/operators/run-files.ts';
import type { SeenContent } from '../ports/workspaces.ts';
import { taken } from './failure.ts';
import { commitList, fileContent, fileList } from './file-schemas.ts';
import { operation } from './operation.ts';

/** So many entries of a list. */
const MOST = 5_000;
/** So much of a file is shown as text. */
const SHOWN = 256 * 1024;

const of = z.enum(FILES_OF).default('run').meta({
  description:
    'what the run left or began with; what the next task of its `context` begins with; or what was there `before` the run’s own commit',
});
const oneFile = z.strictObject({ of, path: z.string().min(1).max(4_096) });

export const fileOperations = [
  operation({
    id: 'runFiles',
    method: 'GET',
    path: '/runs/{id}/files',
    summary: 'The files of a run, and what it changed of them.',
    right: 'view',
    query: z.strictObject({ of }),
    answer: fileList,
    errors: ['RUN_NOT_FOUND', 'FILES_NOT_FOUND'],
    async handle({ app, caller }, { params, query }) {
      const asked = { run: params['id'] ?? '', of: query.of };
      const { look, own } = taken(await runFiles(app, caller.rights, asked));
      if (look === undefined) return { own: false, files: [], more: 0 };
      const { changes, commit, files } = look;
      const more = Math.max(0, files.length - MOST) + Math.max(0, (changes?.length ?? 0) - MOST);
      return {
        commit: { ...commit, parents: [...commit.parents] },
        own,
        files: files.slice(0, MOST).map((each) => ({ ...each })),
        ...(changes && { changes: changes.slice(0, MOST).map((each) => ({ ...each })) }),
        more,
      };
    },
  }),
  operation({
    id: 'runCommits',
    method: 'GET',
    path: '/runs/{id}/commits',
    summary: 'The commits of the files of a run’s context.',
    right: 'view',
    answer: commitList,
    errors: ['RUN_NOT_FOUND', 'FILES_NOT_FOUND'],
    async handle({ app, caller }, { params }) {
      const { commits } = taken(await runCommits(app, caller.rights, params['id'] ?? ''));
      return {
        commits: commits.map((each) => ({
          ...each,
          parents: [...each.parents],
        })),
      };
    },
  }),
  operation({
    id: 'runFile',
    method: 'GET',
    path: '/runs/{id}/file',
    summary: 'One file of a run, as text.',
    right: 'view',
    query: oneFile,
    answer: fileContent,
    errors: ['RUN_NOT_FOUND', 'FILES_NOT_FOUND', 'FILE_NOT_FOUND'],
    async handle({ app, caller }, { params, query }) {
      const asked = { run: params['id'] ?? '', ...query };
      const { body, bytes, kind } = taken(await runFile(app, caller.rights, asked));
      const text = textOf(await beginning(body));
      return {
        path: query.path,
        kind,
        bytes,
        cut: text !== undefined && bytes > SHOWN,
        ...(text !== undefined && { text }),
      };
    },
  }),
  operation({
    id: 'downloadFile',
    method: 'GET',
    path: '/runs/{id}/download',
    summary: 'One file of a run, as its bytes.',
    right: 'view',
    query: oneFile,
    answer: z.string(),
    bytes: true,
    errors: ['RUN_NOT_FOUND', 'FILES_NOT_FOUND', 'FILE_NOT_FOUND'],
    async handle({ app, caller, reply }, { params, query }) {
      const asked = { run: params['id'] ?? '', ...query };
      const { body } = taken(await runFile(app, caller.rights, asked));
      await reply.bytes(query.path.split('/').at(-1) ?? 'file', body);
      return undefined;
    },
  }),
];

async function beginning(body: SeenContent['body']): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.byteLength;
    if (length >= SHOWN) break;
  }
  return Buffer.concat(pieces).subarray(0, SHOWN);
}

/** Undefined: it is no text. The last character may be cut in two. */
function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, {
      stream: bytes.length === SHOWN,
    });
  } catch {
    return undefined;
  }
}
