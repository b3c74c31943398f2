// Vite does not load this file (see vitest.config.ts), so it does not replace what this file imports.

/** Loads a module as it is installed. The path is relative to node_modules. */
export const originalModule = path =>
	import(new URL(`../../node_modules/${path}`, import.meta.url).href);
