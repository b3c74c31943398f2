import type { Answer } from './answer.ts';
import type { AnswerContext } from './endpoint.ts';
import type { Shapes } from './shapes.ts';

/** Wraps a record or a list in the envelope of the simulated service. */
export function wrapped(value: unknown, envelope: Shapes['envelope']): unknown {
	if (envelope === 'data') return { data: value };
	return envelope === 'wrapped' ? { success: true, data: value } : value;
}

/** Creates a handler that answers with one record and changes nothing. */
export const recordEndpoint =
	(body: (view: AnswerContext) => unknown) =>
	(_: unknown, view: AnswerContext): Answer => ({
		status: 200,
		json: wrapped(body(view), view.shapes.envelope),
	});

/** Converts the keys and numbers of a body to the configured style, such as camelCase keys. */
export function inServiceStyle(value: unknown, { case: keys, numbers }: Shapes): unknown {
	if (keys === 'documented' && numbers === 'numbers') return value;
	const renamed = new Map<string, string>();
	const rename = { documented: (key: string) => key, snake: snakeFrom, camel: camelFrom }[keys];

	function keyFrom(key: string): string {
		const known = renamed.get(key) ?? rename(key);
		renamed.set(key, known);
		return known;
	}

	function restyle(each: unknown): unknown {
		if (Array.isArray(each)) return each.map(restyle);
		if (typeof each === 'number') return numbers === 'strings' ? String(each) : each;
		if (typeof each !== 'object' || each === null) return each;
		return Object.fromEntries(
			Object.entries(each).map(([key, held]) => [keyFrom(key), restyle(held)]),
		);
	}

	return restyle(value);
}

const camelFrom = (key: string) =>
	key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const snakeFrom = (key: string) => key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
