import { plainTextWidth } from './plain-text.ts';

/** Longer texts come but once, and would fill the memory. */
const longestKept = 1000;

/**
 * Measures texts as `measure` does, but finds out about plain ones without it, and remembers others.
 * Ink measures every text in every frame, and the right way needs tables that take long to load.
 */
export function createTextWidth<Options>(
	measure: (text: string, options?: Options) => number,
	limit = 500,
) {
	let recent = new Map<string, number>();
	let older = new Map<string, number>();

	return (text: string, options?: Options): number => {
		if (options !== undefined || typeof text !== 'string' || text.length > longestKept) {
			return measure(text, options);
		}
		const plain = plainTextWidth(text);
		if (plain >= 0) return plain;
		let width = recent.get(text);
		if (width !== undefined) return width;
		width = older.get(text) ?? measure(text);
		if (recent.size >= limit) {
			older = recent;
			recent = new Map();
		}
		recent.set(text, width);
		return width;
	};
}
