// Stripe: https://docs.stripe.com/keys (a key that begins with pk_ is made to be published).
// Shopify: https://shopify.dev/changelog/length-of-the-shopify-access-token-is-increasing. Square:
// https://developer.squareup.com/docs/build-basics/access-tokens.
import { tokens } from './tokens.ts';

const STRIPE = /[A-Za-z0-9]{16,255}/y;
const SHOPIFY = /[a-fA-F0-9]{32}/y;

export const findPaymentKeys = tokens([
  ...['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'].map((prefix) => ({ prefix, rest: STRIPE })),
  { prefix: 'whsec_', rest: /[A-Za-z0-9+/]{24,128}={0,2}/y },
  ...['shpat_', 'shpca_', 'shppa_', 'shpss_'].map((prefix) => ({ prefix, rest: SHOPIFY })),
  { prefix: 'sq0atp-', rest: /[A-Za-z0-9_-]{22}/y },
  { prefix: 'sq0csp-', rest: /[A-Za-z0-9_-]{43}/y },
]);
