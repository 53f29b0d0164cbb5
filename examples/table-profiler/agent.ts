import { defineAgent } from '../../shared/agent/index.ts';
import { renderChart } from './chart.ts';
import { findTable } from './find-table.ts';
import { profileTable } from './profile.ts';
import { isGreeting, WHAT_I_DO } from './reply.ts';
import { renderReport } from './report.ts';
import { summarize } from './summary.ts';
import { counted, grouped } from './wording.ts';

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
  defaultInputModes: ['text/csv', 'text/tab-separated-values', 'text/plain'],
  defaultOutputModes: ['application/json', 'text/markdown', 'image/svg+xml', 'text/plain'],

  reply: (message) => (isGreeting(message) ? WHAT_I_DO : undefined),

  async run(ctx) {
    const found = findTable([ctx.message, ...ctx.history.toReversed()]);
    if (found.kind === 'question') return ctx.ask(found.question);
    const { name, table, more } = found;
    const size = `${counted(table.rows.length, 'row')} and ${counted(table.columns.length, 'column')}`;
    await ctx.status(`Read ${size}`);

    const profile = await profileTable(table, {
      signal: ctx.signal,
      progress: async (done, total) => {
        if (done < total) await ctx.status(`Profiled ${grouped(done)} of ${counted(total, 'row')}`);
      },
    });

    await ctx.artifact({
      artifactId: 'profile',
      name: 'profile.json',
      description: 'Each column with its type, counts, statistics and warnings.',
      parts: [{ data: profile, mediaType: 'application/json', filename: 'profile.json' }],
    });
    await ctx.artifact({
      artifactId: 'report',
      name: 'report.md',
      description: 'The profile as a report to read.',
      parts: [
        { text: renderReport(profile, name), mediaType: 'text/markdown', filename: 'report.md' },
      ],
    });
    await ctx.artifact({
      artifactId: 'chart',
      name: 'chart.svg',
      description: 'Missing values of each column, and the distribution of the numeric ones.',
      parts: [
        {
          raw: new TextEncoder().encode(renderChart(profile, name)),
          mediaType: 'image/svg+xml',
          filename: 'chart.svg',
        },
      ],
    });
    return summarize(profile, name, more);
  },
});
