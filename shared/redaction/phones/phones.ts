import type { Finding } from '../finding.ts';
import { findAnnounced } from './announced.ts';
import type { CallingCodes } from './calling-codes.ts';
import { findInternational } from './international.ts';
import { findNational } from './national.ts';

export function findPhones(text: string, codes: CallingCodes): readonly Finding[] {
  return [...findInternational(text, codes), ...findNational(text), ...findAnnounced(text)];
}
