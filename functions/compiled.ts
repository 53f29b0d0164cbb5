/** The code is that of the package, or a bundle; else Node runs the sources of a checkout. */
export const COMPILED = import.meta.filename.endsWith('.js');
