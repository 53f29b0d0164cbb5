import { codeKeeper } from './agent.ts';

export default [codeKeeper];
