import { isRefused } from '../../shared/domain/refusal.ts';
import type { Frame } from '../../shared/app/service.ts';
import type { World } from './world.ts';

/** Everything that a stream shows of a task from its beginning on, once it has settled. */
export async function framesOf(world: World, taskId: string): Promise<readonly Frame[]> {
  const stream = await world.service.stream(
    world.principal,
    taskId,
    { until: 'settled', afterSeq: 0 },
    new AbortController().signal,
  );
  if (isRefused(stream)) throw new Error(stream.code);
  const frames: Frame[] = [];
  for await (const frame of stream) frames.push(frame);
  return frames;
}

/** The artifact updates of a stream, one a line: its flags, and its texts with a bar between. */
export async function chunksOf(world: World, taskId: string): Promise<readonly string[]> {
  const frames = await framesOf(world, taskId);
  return frames.flatMap((frame) => {
    if (frame.kind !== 'event' || frame.event.kind !== 'artifact') return [];
    const { append, artifact, lastChunk } = frame.event;
    const said = artifact.parts.map((part) => ('text' in part ? part.text : JSON.stringify(part)));
    const flags = `${append ? 'adds' : 'states'}${lastChunk ? ' whole' : ''}`;
    return [`${artifact.artifactId} ${flags}: ${said.join('|')}`];
  });
}
