import { defineAgent } from 'holdfast/agent';
import { findTable, TABLE_TYPES } from './find-table.ts';
import { profileTable } from './profile.ts';
import { isGreeting, WHAT_I_DO } from './reply.ts';
import { renderReport } from './report/markdown.ts';
import { summarize } from './report/summary.ts';
import { renderChart } from './report/svg.ts';
import { Turns } from './turns.ts';
import { counted } from './wording.ts';

/** Of so many cells the work takes long enough for a word on the way. */
const LONG = 20_000;

/** Profiles a CSV table: what is in each column, what is missing, and what looks odd. */
export default defineAgent({
  name: 'table-profiler',
  description:
    'Profiles a CSV table: types, missing values, statistics and oddities of each column.',
  version: '1.0.0',
  skills: [
    {
      id: 'profile-table',
      name: 'Profile a table',
      description:
        'Takes a CSV or TSV file, or pasted lines. Returns the profile as JSON, a Markdown report and an SVG chart.',
      tags: ['csv', 'data quality', 'statistics'],
      examples: ['Profile the attached orders.csv', 'name,age\nAda,36\nGrace,45'],
    },
  ],
  defaultInputModes: TABLE_TYPES,
  defaultOutputModes: ['application/json', 'text/markdown', 'image/svg+xml', 'text/plain'],

  reply: (message) => (isGreeting(message) ? WHAT_I_DO : undefined),

  async run(ctx) {
    const turns = new Turns(ctx.signal);
    const found = await findTable([ctx.message, ...ctx.history.toReversed()], turns);
    if (found.kind === 'question') return ctx.ask(found.question);
    const { name, table, more } = found;
    const cells = table.rows.length * table.columns.length;
    await ctx.status(
      `Read ${counted(table.rows.length, 'row')} and ${counted(table.columns.length, 'column')}`,
    );

    const profile = await profileTable(table, turns, async (done) => {
      const all = counted(table.columns.length, 'column');
      if (done < table.columns.length && cells > LONG)
        await ctx.status(`Profiled ${done} of ${all}`);
    });

    const chart = new TextEncoder().encode(renderChart(profile, name));
    const artifacts = [
      [
        'profile.json',
        'Each column with its type, counts, statistics and warnings.',
        { data: profile, mediaType: 'application/json' },
      ],
      [
        'report.md',
        'The profile as a report to read.',
        { text: renderReport(profile, name), mediaType: 'text/markdown' },
      ],
      [
        'chart.svg',
        'Missing values of each column, and the distribution of the numeric ones.',
        { raw: chart, mediaType: 'image/svg+xml' },
      ],
    ] as const;
    for (const [filename, description, part] of artifacts) {
      const artifactId = filename.replace(/\..*/, '');
      await ctx.artifact({
        artifactId,
        name: filename,
        description,
        parts: [{ ...part, filename }],
      });
    }
    return summarize(profile, name, more);
  },
});
