// Not loaded by Vite (see vitest.config.ts), so that neither is what it imports.

/** A module as it is installed, by its path below node_modules. */
export const originalModule = path =>
	import(new URL(`../../node_modules/${path}`, import.meta.url).href);
