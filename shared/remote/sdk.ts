/** Everything here that needs the SDK, so that it is loaded with the first call and not before. */
export { Calls } from './calls.ts';
export { cancelTask, getTask, listTasks, sendMessage } from './operations.ts';
