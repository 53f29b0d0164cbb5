/**
 * What agent authors import.
 *
 * @module
 */
export type { AgentContext } from './agent-context.ts';
export type { AgentFiles, FileArtifact, FilesDeclaration } from './agent-files.ts';
export type { ArtifactInput } from './artifact-input.ts';
export type { CardExtension, CardFields, CardSkill } from './card-fields.ts';
export type { DefinedAgent } from './declared-agent.ts';
export {
  type AgentDeclaration,
  defineAgent,
  type ModelAgentDeclaration,
  type StepsAgentDeclaration,
} from './define-agent.ts';
export {
  defineMcp,
  type Mcp,
  type McpCommandDeclaration,
  type McpDeclaration,
  type McpToolOverride,
  type McpUrlDeclaration,
} from './define-mcp.ts';
export { defineRemote, type RemoteDeclaration } from './define-remote.ts';
export {
  defineTool,
  type Tool,
  type ToolContext,
  type ToolDeclaration,
  type ToolEffect,
  ToolError,
} from './define-tool.ts';
export type { MemoryDeclaration } from './memory.ts';
export type { Instructions, InstructionsContext } from './opening.ts';
export { TaskFailed } from './endings.ts';
export { StepFailed } from './steps/step-failed.ts';
export type { EventDeclaration, EventDeclarations } from './steps/event-declaration.ts';
export type {
  Approval,
  EventOptions,
  Recordable,
  RemoteAnswer,
  StepCall,
  StepOptions,
  StepsContext,
} from './steps/steps-context.ts';
export { type ToolParts, toolParts } from './tool-parts.ts';
export type { LanguageModel } from '../models/ai-sdk/any-language-model.ts';
export { languageModel, type LanguageModelOptions } from '../models/ai-sdk/language-model.ts';
export { ContextTooLong, ModelFault } from '../models/model-fault.ts';
export { RetryLater } from '../models/retry-later.ts';
export type {
  Model,
  ModelCall,
  ModelArtifact,
  ModelEntry,
  ModelFinish,
  ModelRequest,
  ModelTurn,
  ModelUsage,
  ToolSpec,
  TurnContext,
} from '../models/model.ts';
export type { Words } from './parts.ts';
export type { ScheduleDeclaration } from './schedule-declaration.ts';
export type { TaskSpan } from '../app/task-span.ts';
export type { PublicationProfile } from '../app/agents.ts';
export type { Limits } from '../domain/budget.ts';
export type { Caller, RequestDetails } from '../domain/caller.ts';
export type { Ceiling } from '../domain/ceiling.ts';
export type { Json, JsonObject } from '../domain/json.ts';
export { type Artifact, type Message, type Part, textOf } from '../domain/message.ts';
export type { Prices } from '../domain/prices.ts';
export type { Remote } from '../domain/remote.ts';
export type { ScheduledAt } from '../domain/schedule.ts';
export type { Task } from '../domain/task.ts';
