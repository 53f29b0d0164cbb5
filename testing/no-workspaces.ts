import type { Workspaces } from '../shared/ports/workspaces.ts';

const never = (): Promise<never> => Promise.reject(new Error('no agent here has files'));

/** For a world whose agents have no files: it is never asked. */
export const noWorkspaces: Workspaces = {
  open: never,
  look: never,
  history: never,
  read: never,
  merge: never,
  prune: never,
  archive: never,
  publish: never,
  discard: never,
  sweep: never,
  remove: never,
};
