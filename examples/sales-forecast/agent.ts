import { z } from 'zod';
import {
  defineAgent,
  defineRemote,
  type Message,
  type RemoteAnswer,
  TaskFailed,
  textOf,
} from 'holdfast/agent';

const MONTHS = 3;
/** Fewer say nothing about a line. */
const LEAST = 3;

/** An agent in Python (forecaster/server.py), which could belong to another company. */
const forecaster = defineRemote({
  name: 'forecaster',
  description: 'Forecasts a row of monthly figures.',
  card: process.env['FORECASTER_CARD'] ?? 'http://127.0.0.1:9100/.well-known/agent-card.json',
  pollInterval: 5_000,
  approval: false,
});

const month = z.object({ expected: z.number(), low: z.number(), high: z.number() });
const artifact = z.object({ parts: z.array(z.unknown()) });
const answered = z.object({ data: z.object({ forecast: z.array(month).length(MONTHS) }) });

/**
 * Has sales forecast by an agent of others. The README beside this file says how to try it, and
 * what happens when either side is killed meanwhile.
 */
export default defineAgent({
  name: 'sales-forecast',
  description: 'Forecasts sales: the figures of the last months, oldest first, as text.',
  remotes: [forecaster],
  async steps(ctx) {
    let sales = figuresIn(ctx.message);
    if (sales.length < LEAST)
      sales = figuresIn(await ctx.ask(`The sales of ${LEAST} months or more, please.`));
    if (sales.length < LEAST) return ctx.reject(`${LEAST} months are the least.`);
    await ctx.status(`The forecaster has the sales of ${sales.length} months.`);
    const answer = await ctx.call('forecaster', [{ data: { sales, months: MONTHS } }]);
    const forecast = forecastIn(answer);
    await ctx.artifact({ name: 'forecast', parts: [{ data: { sales, forecast } }] });
    const words = forecast.map(({ expected, high, low }) => `${expected} (${low} to ${high})`);
    return `The next ${MONTHS} months: ${words.join(', ')}.`;
  },
});

function figuresIn(message: Message): number[] {
  return (textOf(message).match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
}

/** Data from outside: the forecaster says what it likes. */
function forecastIn({ artifacts, status }: RemoteAnswer): z.infer<typeof month>[] {
  if (status !== 'completed')
    throw new TaskFailed(`No forecast: the forecaster's answer is ${status}.`);
  const parts = artifacts.flatMap((each) => artifact.safeParse(each).data?.parts ?? []);
  const [read] = parts.flatMap((part) => answered.safeParse(part).data ?? []);
  if (read === undefined) throw new TaskFailed('The forecaster answered without a forecast.');
  return read.data.forecast;
}
