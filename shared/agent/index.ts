/**
 * What agent authors import.
 *
 * @module
 */
export type { AgentContext, ArtifactInput } from './agent-context.ts';
export type { CardExtension, CardFields, CardSkill } from './card-fields.ts';
export { type AgentDeclaration, type DefinedAgent, defineAgent } from './define-agent.ts';
export { RetryLater, TaskFailed } from './endings.ts';
export type { Words } from './parts.ts';
export type { PublicationProfile } from '../app/agents.ts';
export type { Ceiling } from '../domain/ceiling.ts';
export type { Json, JsonObject } from '../domain/json.ts';
export { type Artifact, type Message, type Part, textOf } from '../domain/message.ts';
export type { Task } from '../domain/task.ts';
