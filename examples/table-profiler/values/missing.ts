const MISSING: ReadonlySet<string> = new Set(['', 'na', 'n/a', '#n/a', 'nan', 'null', '-']);

/** Whether a cell says that there is no value: empty, NA, N/A, #N/A, NaN, null or a lone dash, in any case. */
export function isMissing(cell: string): boolean {
  return cell.length <= 8 && MISSING.has(cell.trim().toLowerCase());
}
