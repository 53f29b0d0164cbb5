import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { Check, Committed, Version, Write } from '../../ports/backend.ts';
import type { Connection } from '../connection.ts';
import type { FirestoreClient } from './client.ts';
import { faultOf, isConflict } from './outcome.ts';
import { encodeDocument, updateTimeOf, versionOf } from './values.ts';

/** None of the codes for which the client would send a call again. */
const NEVER_REPEATED: readonly number[] = [];

/**
 * One Commit call, without a transaction: each write carries its precondition, so no lock outlives
 * the call. The client must not repeat it. `WriteBatch.commit` does, on ABORTED, UNAVAILABLE and
 * RESOURCE_EXHAUSTED, for up to ten minutes; when the first try was applied and only its answer
 * lost, the second meets its own writes and reports a conflict that never was. An unknown outcome
 * goes to the transaction engine instead, whose bodies recognise their own commits.
 */
export async function commit(
  connection: Connection<FirestoreClient>,
  checks: readonly Check[],
  writes: readonly Write[],
  deadline: number,
): Promise<Committed | 'conflict'> {
  const { funnel } = (await connection.held()).client;
  const nameOf = (path: string): string => `${funnel.formattedName}/documents/${path}`;
  const number = randomInt(2 ** 47);
  const request = {
    database: funnel.formattedName,
    writes: [
      ...checks.map((check) => checkOf(nameOf(check.path), check)),
      ...writes.map((write) => writeOf(nameOf(write.path), write, number)),
    ],
  };
  // A version that no document can have fails like any other that is not the present one.
  if (request.writes.includes(undefined)) return 'conflict';
  try {
    const response = await connection.ask(async (client) => {
      await client.funnel.initializeIfNeeded('holdfast');
      return client.funnel.request('commit', request, 'holdfast', NEVER_REPEATED);
    }, deadline);
    return { versions: versionsOf(response).slice(checks.length) };
  } catch (error) {
    if (isConflict(error)) return 'conflict';
    throw faultOf(error);
  }
}

const committed = z.object({
  writeResults: z.array(
    z.object({ updateTime: z.object({ seconds: z.unknown(), nanos: z.number() }).nullish() }),
  ),
});

/**
 * The update time of each write; a deletion has none. Of an answer in another form nothing is
 * known.
 */
function versionsOf(response: unknown): readonly (Version | undefined)[] {
  const parsed = committed.safeParse(response);
  if (!parsed.success) return [];
  return parsed.data.writeResults.map(({ updateTime }) =>
    updateTime ? versionOf(updateTime.seconds, updateTime.nanos) : undefined,
  );
}

/**
 * A check is a write that changes nothing. (The protocol's own `verify` is not in the published
 * definitions, and this client can't send it.) An update that names no field leaves the document
 * and its update time as they are, and so does the deletion of a document that must not exist:
 * neither is seen by listeners or triggers.
 */
function checkOf(name: string, check: Check): object | undefined {
  if (check.expect === 'absent') return { delete: name, currentDocument: { exists: false } };
  const updateTime = updateTimeOf(check.expect);
  if (updateTime === undefined) return undefined;
  return { update: { name }, updateMask: { fieldPaths: [] }, currentDocument: { updateTime } };
}

function writeOf(name: string, write: Write, number: number): object | undefined {
  const operation =
    write.fields === undefined
      ? { delete: name }
      : { update: { name, fields: encodeDocument(write.fields, number) } };
  if (write.expect === 'any') return operation;
  if (write.expect === 'absent') return { ...operation, currentDocument: { exists: false } };
  const updateTime = updateTimeOf(write.expect);
  return updateTime === undefined ? undefined : { ...operation, currentDocument: { updateTime } };
}
