import { describe, expect, it } from 'vitest';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import type { Ceiling } from '../../shared/domain/ceiling.ts';
import type { JsonObject } from '../../shared/domain/json.ts';
import { type Asking, approvalWorld } from '../operator/worlds.ts';
import { finish } from './turn-loop-world.ts';

const SECRET = 'a-secret-word';

async function approve({ api, taskId, world }: Asking): Promise<void> {
  const { digest, generation: pauseGeneration } = (await api.get(`/runs/${taskId}`)).body.waitsFor;
  await api.post(`/runs/${taskId}/decisions`, { kind: 'approve', digest, pauseGeneration });
  await finish(world);
}

/** As the edge asks for it, beside the state that it shows. */
async function traceOf({ taskId, world }: Asking, owner = ''): Promise<JsonObject | undefined> {
  const { trace } = createTaskService(world.app, undefined, { traceability: true });
  const { status } = await world.get(taskId);
  return trace?.({ ...world.principal, owner }, taskId, status);
}

const stepsOf = (trace: JsonObject | undefined) => (trace?.['steps'] ?? []) as JsonObject[];
const withAudit = (audit: Ceiling) =>
  approvalWorld({ installation: { answer: 'metadata', audit } });

describe('what was done for a task', () => {
  it('has its models and tools below its run, with times, and nothing that was said', async () => {
    const made = await withAudit('full');
    await approve(made);
    const trace = await traceOf(made);
    const { taskId } = made;
    expect(trace).toMatchObject({
      trace_id: taskId,
      steps: [
        {
          step_id: taskId,
          parent_step_id: '',
          call_type: 'AGENT',
          start_time: expect.any(String),
          end_time: expect.any(String),
        },
        {
          step_id: `${taskId}/2`,
          parent_step_id: taskId,
          call_type: 'AGENT',
          additional_attributes: { kind: 'turn', model: 'scripted' },
        },
        {
          step_id: `${taskId}/4`,
          parent_step_id: `${taskId}/2`,
          call_type: 'TOOL',
          name: 'erase',
          step_action: { tool_invocation: { tool_name: 'erase' } },
          additional_attributes: { kind: 'tool', effect: 'once', status: 'ok' },
          latency: expect.any(Number),
        },
        { step_id: `${taskId}/5`, parent_step_id: taskId },
      ],
    });
    expect(stepsOf(trace)).toHaveLength(4);
    expect(JSON.stringify(trace)).not.toContain(SECRET);
    expect(JSON.stringify(trace)).not.toContain('gone');
    expect(await traceOf(made)).toEqual(trace);
  });

  it('of a task that waits is what was done until then', async () => {
    const made = await withAudit('metadata');
    const waiting = await traceOf(made);
    expect(stepsOf(waiting).map((step) => step['step_id'])).toEqual([
      made.taskId,
      `${made.taskId}/2`,
    ]);
    expect(stepsOf(waiting)[0]).not.toHaveProperty('end_time');
  });

  it('is the run alone where nothing of its steps may be kept, also while it is open', async () => {
    const made = await withAudit('none');
    expect(stepsOf(await traceOf(made))).toHaveLength(1);
    await approve(made);
    expect(stepsOf(await traceOf(made))).toHaveLength(1);
  });

  it('is told to the owner of the task alone, and where it is offered', async () => {
    const made = await withAudit('full');
    expect(await traceOf(made, 'another')).toBeUndefined();
    expect(made.world.service.trace).toBeUndefined();
  });
});
