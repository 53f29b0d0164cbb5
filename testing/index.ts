/**
 * For tests of agents: a world that runs them as a server does, on a clock that the test moves.
 *
 * @module
 */
export type { Caller, SendOptions } from './caller.ts';
export type { CheckedTask } from './check-upgrade.ts';
export type { Effect, Repeated, Thrown } from './effects.ts';
export { type Crash, type CrashReport, everyCrash, type RepeatedCall } from './every-crash.ts';
export type { Gate } from './gate.ts';
export type { ForkOptions, HeldCall, Operator, RetryOptions, Waiting } from './operator.ts';
export { recordedModel, type RecordedModelOptions } from './recorded-model.ts';
export { NotRecorded } from './recording.ts';
export { Refusal } from './refusal.ts';
export { call, type Scripted, ScriptedModel } from './scripted-model.ts';
export { type RemoteScript, ScriptedRemote, type SendFault } from './scripted-remote.ts';
export { type ReachedCall, ScriptedToolServer } from './scripted-tool-server.ts';
export type { SeenSchedule } from './seen-schedule.ts';
export type { SeenTask } from './seen-task.ts';
export type { Subscription } from './subscription.ts';
export { createWorld, type LogLine, type World, type WorldOptions } from './world.ts';
