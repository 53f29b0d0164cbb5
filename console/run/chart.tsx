import { useNow } from '../parts/clock.ts';
import { spanWords } from '../parts/words.ts';
import type { Timeline, Trail } from '../wire.ts';
import { type Bar, instantsOf, type Lane, lanesOf, type Mark } from './lanes.ts';
import { type Scale, scaleOf } from './scale.ts';

/** A stretch narrower than this share of the axis has no room for its time. */
const LABELLED = 0.07;

interface RunChartProps {
  readonly run: Timeline;
  readonly trail: Trail | undefined;
}

/** A run over time, lane by lane. The log below says the same in words. */
export function RunChart({ run, trail }: RunChartProps) {
  const lanes = lanesOf(run, trail);
  return run.open ? (
    <OpenChart lanes={lanes} />
  ) : (
    <Chart lanes={lanes} scale={scaleOf(instantsOf(lanes, undefined))} />
  );
}

/** It goes on: the axis ends now. */
function OpenChart({ lanes }: { readonly lanes: readonly Lane[] }) {
  return <Chart lanes={lanes} scale={scaleOf(instantsOf(lanes, useNow()))} />;
}

function Chart({ lanes, scale }: { readonly lanes: readonly Lane[]; readonly scale: Scale }) {
  const { stretches } = scale;
  const whole = (stretches.at(-1)?.to ?? 0) - (stretches[0]?.from ?? 0);
  return (
    <figure
      class="run-chart"
      role="img"
      aria-label={`The run over ${spanWords(whole)}; the log below says the same in words.`}
    >
      <div class="lane axis">
        <span class="lane-name">{spanWords(whole)}</span>
        <div class="track">
          {stretches.map(({ from, left, to, width }) => (
            <span key={from} class="stretch" style={{ left: percent(left), width: percent(width) }}>
              {width > LABELLED ? spanWords(to - from) : ''}
            </span>
          ))}
        </div>
      </div>
      {lanes.map((lane) => (
        <div key={lane.name} class="lane">
          <span class="lane-name">{lane.name}</span>
          <div class="track">
            {lane.bars.map((bar) => (
              <BarShape key={`${bar.from} ${bar.words}`} bar={bar} scale={scale} />
            ))}
            {lane.marks.map((mark) => (
              <MarkShape key={`${mark.at} ${mark.words}`} mark={mark} scale={scale} />
            ))}
          </div>
        </div>
      ))}
    </figure>
  );
}

function BarShape({ bar, scale }: { readonly bar: Bar; readonly scale: Scale }) {
  const { from, hollow, to, tone, words } = bar;
  const left = scale.place(from);
  const right = to === undefined ? 1 : scale.place(to);
  const open = to === undefined ? ' open' : '';
  return (
    <span
      class={`bar ${tone}${hollow === true ? ' hollow' : ''}${open}`}
      style={{ left: percent(left), width: percent(right - left) }}
      title={words}
    >
      {right - left > LABELLED && !hollow ? words : ''}
    </span>
  );
}

function MarkShape({ mark, scale }: { readonly mark: Mark; readonly scale: Scale }) {
  const { at, tone, words } = mark;
  return <span class={`point ${tone}`} style={{ left: percent(scale.place(at)) }} title={words} />;
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;
