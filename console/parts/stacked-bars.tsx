import { numberWords } from './words.ts';

export interface Series {
  readonly key: string;
  readonly title: string;
  readonly tone: string;
}

export interface BarsProps {
  readonly caption: string;
  /** What is drawn on top comes last. */
  readonly series: readonly Series[];
  /** One for each column, from left to right. */
  readonly columns: readonly {
    readonly name: string;
    readonly values: Readonly<Record<string, number>>;
  }[];
  /** A value in words. Default: as a number. */
  readonly words?: (value: number) => string;
  /** Values of a column are measures of one thing, each drawn from the ground up, and no sum. */
  readonly overlaid?: boolean;
  /** Below the last column. Default: now. */
  readonly end?: string;
}

/** So many columns touch each other. */
const DENSE = 70;

/** Columns of values over time, with a legend; the same as a table to be heard. */
export function StackedBars(props: BarsProps) {
  const { caption, columns, end = 'now', overlaid = false, series, words = numberWords } = props;
  const tops = columns.map(({ values }) => {
    const all = series.map(({ key }) => values[key] ?? 0);
    return overlaid ? Math.max(0, ...all) : all.reduce((sum, each) => sum + each, 0);
  });
  const most = Math.max(0, ...tops);
  const middle = columns[Math.floor(columns.length / 2)];
  const sumOf = (key: string): number =>
    columns.reduce((sum, { values }) => sum + (values[key] ?? 0), 0);
  return (
    <figure class="stacked">
      <figcaption class="legend">
        {series.map(({ key, title, tone }) => (
          <span key={key} class={`key ${tone}`}>
            <span class="swatch" aria-hidden="true" />
            {overlaid ? title : `${words(sumOf(key))} ${title}`}
          </span>
        ))}
      </figcaption>
      <div class={`columns-box ${columns.length > DENSE ? 'dense' : ''}`} aria-hidden="true">
        <span class="most">{words(most)}</span>
        {columns.map(({ name, values }) => (
          <div
            key={name}
            class={`column ${overlaid ? 'overlaid' : ''}`}
            title={titleOf(name, values, series, words)}
          >
            {series.map(({ key, tone }) => (
              <span
                key={key}
                class={`part ${tone}`}
                style={{ height: `${((values[key] ?? 0) / (most || 1)) * 100}%` }}
              />
            ))}
          </div>
        ))}
      </div>
      <div class="ticks" aria-hidden="true">
        <span>{columns[0]?.name}</span>
        <span>{middle?.name}</span>
        <span>{end}</span>
      </div>
      <table class="hidden">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            {series.map(({ key, title }) => (
              <th key={key} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns
            .filter((_, at) => (tops[at] ?? 0) > 0)
            .map(({ name, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {series.map(({ key }) => (
                  <td key={key}>{words(values[key] ?? 0)}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </figure>
  );
}

function titleOf(
  name: string,
  values: Readonly<Record<string, number>>,
  series: readonly Series[],
  words: (value: number) => string,
): string {
  const there = series.filter(({ key }) => (values[key] ?? 0) > 0);
  return `${name}: ${there.map(({ key, title }) => `${words(values[key] ?? 0)} ${title}`).join(', ') || 'none'}`;
}
