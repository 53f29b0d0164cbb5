import { z } from 'zod';
import { defineAgent, RetryLater } from 'holdfast/agent';
import { books } from './books.ts';

const order = z.object({
  item: z.string().min(1).max(100),
  count: z.number().int().min(1).max(1_000),
  /** Paid by bank transfer, before it is shipped. */
  invoice: z.boolean().default(false),
});
/** From this sum on a person has to approve; in euros. */
const LARGE = 500;

/**
 * Takes an order: reserves the goods, has a large one approved, charges it or waits until its
 * invoice is paid, and gives the goods back where it comes to nothing. For ten seconds the customer
 * may say where the parcel should go. Try it with
 * `npm start -- --agents examples/order-flow/agent.ts`.
 */
export default defineAgent({
  name: 'order-flow',
  description: 'Orders an item: { "item": "lamp", "count": 12 }, or words, and it asks.',
  events: {
    // Said by the one who sees the bank account: `holdfast event <run> paid '{...}'`.
    paid: { schema: z.object({ reference: z.string().max(100) }) },
    // Said by the customer.
    place: { schema: z.string().max(200), owner: true },
  },
  async steps(ctx) {
    const given = ctx.message.parts.flatMap((part) => ('data' in part ? [part.data] : []));
    const read = order.safeParse(given[0]);
    const wanted = read.success ? read.data : await ctx.ask('What, and how many?', order);
    const { price, reservation } = await ctx.step('reserve', ({ key }) =>
      books.reserve(wanted.item, wanted.count, key),
    );
    await ctx.status(`Reserved ${wanted.count} of ${wanted.item} for ${price} euros.`);
    const release = () => ctx.step('release', () => books.release(reservation));

    if (price >= LARGE) {
      const { approved } = await ctx.approve('large order', {
        summary: `${wanted.count} of ${wanted.item} for ${price} euros.`,
        details: { ...wanted, price },
      });
      if (!approved) {
        await release();
        return 'The order was not approved; nothing was charged.';
      }
    }
    if (wanted.invoice) {
      const paid = await ctx.event('paid', { timeout: '14 d' });
      if (paid === undefined) {
        await release();
        return 'The invoice was not paid; the goods were given back.';
      }
      await ctx.step('book', ({ key }) => books.book(price, paid.reference, key));
    } else {
      try {
        await ctx.step('charge', ({ key }) => books.charge(price, key), { effect: 'once' });
      } catch {
        await release();
        return 'The payment was refused; the goods were given back.';
      }
    }
    const place = await ctx.event('place', { timeout: '10 s' });
    const parcel = await ctx.step('ship', ({ attempt, key }) => {
      if (books.carrierIsAway(attempt)) throw new RetryLater('no carrier', { delay: 2_000 });
      return books.ship(reservation, key);
    });
    const to = place === undefined ? '' : ` to ${place}`;
    return `Shipped ${wanted.count} of ${wanted.item}${to}: parcel ${parcel}.`;
  },
});
