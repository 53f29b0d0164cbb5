import { Fault } from '../ports/faults.ts';

/** An archive holds what can't be taken, or is none. What was written of it is gone again. */
export class ArchiveRefused extends Fault {
  /** As the archive names it; empty when it is about all of it. */
  readonly path: string;
  /** In words that follow a path: "is a device". */
  readonly rule: string;

  constructor(path: string, rule: string) {
    super('ArchiveRefused', 'stop', `${path === '' ? 'the archive' : path} ${rule}`);
    this.path = path;
    this.rule = rule;
  }
}
