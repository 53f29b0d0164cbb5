import { userInfo } from 'node:os';

/**
 * Who works on the rows themselves, for the audit record: the account of the machine that the
 * command runs on.
 */
export function personAtTerminal(): string {
  try {
    return `operate:${userInfo().username}`;
  } catch {
    // An account without a name, as containers have them.
    return 'operate:unknown';
  }
}
