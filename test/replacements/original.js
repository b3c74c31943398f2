// Not loaded by Vite (see vitest.config.ts), so that what it imports is not replaced.

/** A module of a dependency as it is installed, by its path below node_modules. */
export const original = path => import(new URL(`../../node_modules/${path}`, import.meta.url).href);
