import { viewCodec } from '../../../shared/app/records/documents.ts';
import type { App } from '../../../shared/app/app.ts';
import { unsealTask } from '../../../shared/app/content/snapshot.ts';
import { viewKeyOf } from '../../../shared/app/content/sealing-key.ts';
import { canonicalJson, type Json } from '../../../shared/domain/json.ts';
import type { World } from '../world.ts';
import { printOfTask, type Tale } from './tale.ts';

/** View and archive show the task as its last revision left it (G2, G20). */
export async function viewAndArchiveAgree(
  world: World,
  app: App,
  { run, tasks, events }: Tale,
): Promise<string | undefined> {
  const row = world.backend.peek(`tasks/${run.taskId}`);
  const task = tasks.at(-1);
  if (row === undefined || task === undefined) return `${run.taskId} has no view`;
  const view = viewCodec.decode(row.fields, row.path);
  const wanted = printOfTask(task);
  const shown = printOfTask(await unsealTask(app, await viewKeyOf(app, view), view));
  if (shown !== wanted) return `the view of ${run.taskId} is ${shown} and should be ${wanted}`;
  if (view.lastSeq !== events.length)
    return `the view of ${run.taskId} counts ${view.lastSeq} events of ${events.length}`;
  const prefix = `contexts/${run.contextId}/${run.taskId}`;
  const archived = world.blobs.objects.get(`${prefix}/task.json`);
  if (archived === undefined) return `${run.taskId} is not archived`;
  const json = canonicalJson(JSON.parse(Buffer.from(archived.body).toString('utf8')) as Json);
  if (json !== wanted) return `the archive of ${run.taskId} is ${json} and should be ${wanted}`;
  const pointer =
    world.blobs.objects.get(`tasks/${run.taskId}/contextId.txt`)?.body ?? new Uint8Array();
  return Buffer.from(pointer).toString('utf8') === run.contextId
    ? undefined
    : `${run.taskId} points nowhere`;
}
