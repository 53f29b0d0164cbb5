import { countWords } from './words.ts';

export interface Series {
  readonly key: string;
  readonly title: string;
  readonly tone: string;
}

interface StackedBarsProps {
  readonly caption: string;
  readonly series: readonly Series[];
  /** One for each column, from left to right. */
  readonly columns: readonly {
    readonly name: string;
    readonly values: Readonly<Record<string, number>>;
  }[];
}

/** Columns of stacked counts, with a legend that has the sums; the same as a table to be heard. */
export function StackedBars({ caption, columns, series }: StackedBarsProps) {
  const sumOf = (values: Readonly<Record<string, number>>): number =>
    series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);
  const most = Math.max(1, ...columns.map(({ values }) => sumOf(values)));
  const middle = columns[Math.floor(columns.length / 2)];
  return (
    <figure class="stacked">
      <figcaption class="legend">
        {series.map(({ key, title, tone }) => (
          <span key={key} class={`key ${tone}`}>
            <span class="swatch" aria-hidden="true" />
            {countWords(
              columns.reduce((sum, { values }) => sum + (values[key] ?? 0), 0),
              title,
              title,
            )}
          </span>
        ))}
      </figcaption>
      <div class="columns-box" aria-hidden="true">
        <span class="most">{most}</span>
        {columns.map(({ name, values }) => (
          <div key={name} class="column" title={titleOf(name, values, series)}>
            {series.map(({ key, tone }) => (
              <span
                key={key}
                class={`part ${tone}`}
                style={{ height: `${((values[key] ?? 0) / most) * 100}%` }}
              />
            ))}
          </div>
        ))}
      </div>
      <div class="ticks" aria-hidden="true">
        <span>{columns[0]?.name}</span>
        <span>{middle?.name}</span>
        <span>now</span>
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
            .filter(({ values }) => sumOf(values) > 0)
            .map(({ name, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {series.map(({ key }) => (
                  <td key={key}>{values[key] ?? 0}</td>
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
): string {
  const there = series.filter(({ key }) => (values[key] ?? 0) > 0);
  return `${name}: ${there.map(({ key, title }) => `${values[key] ?? 0} ${title}`).join(', ') || 'none'}`;
}
