import { useRef, useState } from 'preact/hooks';
import { post } from '../api.ts';
import { newId } from '../browser.ts';
import { useData } from '../data.ts';
import { Act } from '../parts/act.tsx';
import { ShortId } from '../parts/id.tsx';
import { Empty, Loaded, Page } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Text } from '../parts/text.tsx';
import { Ago, At, Since, Until } from '../parts/time.tsx';
import { countWords } from '../parts/words.ts';
import { link } from '../router.ts';
import type { RunRow, ScheduleList } from '../wire.ts';

type Schedule = ScheduleList['schedules'][number];
interface CardProps {
  readonly schedule: Schedule;
  readonly reload: () => void;
}

const CALM = 1_000;
const EVERY = 10_000;

/** When agents begin tasks of their own accord. */
export function Schedules() {
  const data = useData<ScheduleList>('/schedules', () => true, CALM, EVERY);
  return (
    <Page title="Schedules">
      <Loaded data={data}>
        {({ schedules }) =>
          schedules.length === 0 ? (
            <Empty title="No agent here has a schedule." />
          ) : (
            <ul class="stack">
              {schedules.map((each) => (
                <ScheduleCard key={each.agent} schedule={each} reload={data.reload} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

function ScheduleCard({ reload, schedule }: CardProps) {
  const { agent, cron, may, missed, overlap, owner, status, timezone } = schedule;
  const [made, setMade] = useState<string>();
  const acts = status !== 'retired' && (may.includes('pause') || may.includes('try'));
  return (
    <li class="card pending">
      <header>
        <a href={link('/agents', agent)}>{agent}</a>
        <State schedule={schedule} />
        <span class="push">
          <code>{cron}</code> {timezone}
        </span>
      </header>
      <Ticks schedule={schedule} />
      {made !== undefined && (
        <p>
          You made the task <ShortId id={made} href={link('/runs', made)} />.
        </p>
      )}
      {missed !== undefined && (
        <p class="note">
          Of missed ticks: {missed}. Overlap: {overlap}. Its tasks belong to{' '}
          <Text>{owner ?? ''}</Text>.
        </p>
      )}
      {acts && (
        <footer>
          {may.includes('try') && <RunNow agent={agent} onMade={setMade} />}
          {may.includes('pause') && <PauseOrResume schedule={schedule} reload={reload} />}
        </footer>
      )}
    </li>
  );
}

function State({ schedule: { pausedSince, refusal, status } }: Pick<CardProps, 'schedule'>) {
  if (pausedSince !== undefined)
    return (
      <span class="status person">
        ◆ paused for <Since at={pausedSince} />
      </span>
    );
  if (status === 'retired') return <span class="status">○ retired</span>;
  if (refusal !== undefined) return <span class="status bad">✕ refused</span>;
  return <span class="status good">✓ active</span>;
}

function Ticks({ schedule }: Pick<CardProps, 'schedule'>) {
  const { lastStatus, lastTask, lastTick, missedTicks, nextAt, refusal, skippedTicks } = schedule;
  return (
    <dl class="facts">
      <dt>Next tick</dt>
      <dd>
        {nextAt === undefined ? (
          'none'
        ) : (
          <>
            <At at={nextAt} /> (<Until at={nextAt} />)
          </>
        )}
      </dd>
      <dt>Last tick</dt>
      <dd>
        {lastTick === undefined ? (
          'none yet'
        ) : (
          <>
            <At at={lastTick} /> (<Ago at={lastTick} />)
          </>
        )}
      </dd>
      <dt>Last task</dt>
      <dd>
        {lastTask === undefined ? 'none yet' : <LastTask run={lastTask} status={lastStatus} />}
      </dd>
      {missedTicks + skippedTicks > 0 && (
        <>
          <dt>Without a task</dt>
          <dd>
            {countWords(missedTicks, 'tick')} missed, {countWords(skippedTicks, 'tick')} skipped
          </dd>
        </>
      )}
      {refusal !== undefined && (
        <>
          <dt>Refused</dt>
          <dd>
            <Text>{refusal}</Text>
          </dd>
        </>
      )}
    </dl>
  );
}

function LastTask({ run, status }: { readonly run: string; readonly status: string | undefined }) {
  if (status === undefined)
    return (
      <>
        <ShortId id={run} /> removed
      </>
    );
  return (
    <>
      <ShortId id={run} href={link('/runs', run)} /> <Status status={status} />
    </>
  );
}

/** A request that is repeated after its answer was lost makes no second task. */
function RunNow({
  agent,
  onMade,
}: {
  readonly agent: string;
  readonly onMade: (run: string) => void;
}) {
  const requestId = useRef(newId());
  return (
    <Act
      name="Run now…"
      title={`Make a task of ${agent} now?`}
      act="Run now"
      done={`A task of ${agent} was made.`}
      run={async () => {
        const path = `/schedules/${encodeURIComponent(agent)}/run`;
        const { id } = await post<RunRow>(path, { requestId: requestId.current });
        requestId.current = newId();
        onMade(id);
      }}
    >
      <p>It is a task as a tick makes one. The ticks go on as they were.</p>
    </Act>
  );
}

function PauseOrResume({ reload, schedule: { agent, status } }: CardProps) {
  const act = async (name: 'pause' | 'resume'): Promise<void> => {
    await post(`/schedules/${encodeURIComponent(agent)}/${name}`, {});
    reload();
  };
  return status === 'paused' ? (
    <Act
      name="Resume…"
      title={`Resume the schedule of ${agent}?`}
      act="Resume"
      done={`The schedule of ${agent} goes on.`}
      primary
      run={() => act('resume')}
    >
      <p>It goes on with the next tick. Those of the pause are not made up for.</p>
    </Act>
  ) : (
    <Act
      name="Pause…"
      title={`Pause the schedule of ${agent}?`}
      act="Pause"
      done={`The schedule of ${agent} is paused.`}
      run={() => act('pause')}
    >
      <p>No tick makes a task until it is resumed. Tasks that were made go on.</p>
    </Act>
  );
}
