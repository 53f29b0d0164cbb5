/**
 * For those who have an executor of the SDK and want it to be durable.
 *
 * @module
 */
export { ExecutorFault, type ExecutorFaultCode } from './executor-fault.ts';
export { type ExecutorDeclaration, fromExecutor } from './from-executor.ts';
export type { CallContextOf, CallContextOptions } from './request-context.ts';
