import type { SegmentPorts } from '../app/agents.ts';
import type { Step } from '../domain/step.ts';
import type { Model } from '../models/model.ts';
import type { Mcp } from './define-mcp.ts';
import type { Offers } from './offers.ts';
import type { Opened } from './opening.ts';
import type { Structured } from './structured.ts';

/** What an agent with a model works with. */
export interface Equipment {
  readonly model: Model;
  readonly opened: Opened;
  readonly offers: Offers;
  /** Servers whose tools are offered, too, as they list them before each step. */
  readonly mcp?: readonly Mcp[];
  /** What the final answer is to be, if not any text. */
  readonly structured?: Structured;
  /** The answer is an artifact, which callers see as it is written. */
  readonly stream: boolean;
}

export type Commit = (
  step: Step,
  more?: Parameters<SegmentPorts['transcript']['append']>[1],
) => Promise<void>;

/** What a step of the loop has at hand. */
export interface Work {
  readonly segment: SegmentPorts;
  readonly equipment: Equipment;
  readonly steps: Step[];
  readonly log: Commit;
}
