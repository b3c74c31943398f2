import type { Answer } from '../world/answer.ts';
import type { AnswerContext } from './endpoint.ts';
import type { Shapes } from './shapes.ts';

/** Wraps a record or a list in the configured envelope, such as `{data: …}`. */
export function inEnvelope(value: unknown, envelope: Shapes['envelope']): unknown {
	if (envelope === 'data') return { data: value };
	return envelope === 'wrapped' ? { success: true, data: value } : value;
}

/** Creates the handler of a read that answers with one record. */
export const createRecordHandler =
	(body: (context: AnswerContext) => unknown) =>
	(_: unknown, context: AnswerContext): Answer => ({
		status: 200,
		json: inEnvelope(body(context), context.shapes.envelope),
	});

/** Converts the keys and numbers of a body to the configured style, such as camelCase keys. */
export function inConfiguredStyle(value: unknown, { case: keys, numbers }: Shapes): unknown {
	if (keys === 'documented' && numbers === 'numbers') return value;
	const renamedKeys = new Map<string, string>();
	const rename = { documented: (key: string) => key, snake: snakeCaseOf, camel: camelCaseOf }[keys];

	function keyFrom(key: string): string {
		const renamedKey = renamedKeys.get(key) ?? rename(key);
		renamedKeys.set(key, renamedKey);
		return renamedKey;
	}

	function restyle(part: unknown): unknown {
		if (Array.isArray(part)) return part.map(restyle);
		if (typeof part === 'number') return numbers === 'strings' ? String(part) : part;
		if (typeof part !== 'object' || part === null) return part;
		return Object.fromEntries(
			Object.entries(part).map(([key, value]) => [keyFrom(key), restyle(value)]),
		);
	}

	return restyle(value);
}

const camelCaseOf = (key: string) =>
	key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const snakeCaseOf = (key: string) => key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
