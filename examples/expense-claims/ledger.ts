/** Stands in for the bank, which takes a key with each payment and pays once for it. */
class Ledger {
  readonly payments = new Map<string, { readonly iban: string; readonly euros: number }>();

  pay(iban: string, euros: number, key: string): number {
    this.payments.set(key, { iban, euros });
    return this.payments.size;
  }
}

export const ledger = new Ledger();
