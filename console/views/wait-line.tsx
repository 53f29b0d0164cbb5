import { ShortId } from '../parts/id.tsx';
import { Status } from '../parts/status.tsx';
import { Since } from '../parts/time.tsx';
import { link } from '../router.ts';

interface WaitLineProps {
  readonly run: string;
  readonly agent: string;
  readonly status: string;
  readonly since: string;
}

/** A run that waits, in one line. */
export function WaitLine({ agent, run, since, status }: WaitLineProps) {
  return (
    <li>
      <ShortId id={run} href={link('/runs', run)} />
      <span>{agent}</span>
      <Status status={status} />
      <span class="note push">
        <Since at={since} />
      </span>
    </li>
  );
}
