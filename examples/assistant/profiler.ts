import { defineRemote } from 'holdfast/agent';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where the card of the table profiler is: where HOLDFAST_PROFILER_CARD says, or else at this very
 * server, known by HOLDFAST_BASE_URL, or by PORT on this machine.
 */
export function profilerCard(environment: Environment): string {
  const given = (name: string): string | undefined => environment[name] || undefined;
  const base = given('HOLDFAST_BASE_URL') ?? `http://127.0.0.1:${given('PORT') ?? '8080'}`;
  return (
    given('HOLDFAST_PROFILER_CARD') ??
    `${base.replace(/\/+$/, '')}/agents/table-profiler/.well-known/agent-card.json`
  );
}

/**
 * Only A2A connects the two: the profiler could belong to another company. Each message needs an
 * approval.
 */
export const profiler = defineRemote({
  name: 'profiler',
  description: 'Profiles a table that is sent to it.',
  card: profilerCard(process.env),
  pollInterval: 5_000,
});
