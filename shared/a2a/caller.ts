import type { ServerCallContext, User } from '@a2a-js/sdk/server';
import type { Exchange } from './exchange.ts';

/**
 * The SDK's userBuilder is its only hook that sees the request, and its User the only object of ours that reaches the
 * request handler; so the exchange travels in it.
 */
export class Caller implements User {
  readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  get isAuthenticated(): boolean {
    return this.exchange.identity.authenticated;
  }

  get userName(): string {
    return this.exchange.identity.owner;
  }
}

export function exchangeOf(context: ServerCallContext): Exchange {
  if (context.user instanceof Caller) return context.user.exchange;
  throw new TypeError('the A2A request handler was called without an exchange');
}
