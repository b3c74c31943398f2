import { cleanText } from '../../platform/clean.ts';
import { isObject } from '../../platform/fields.ts';

const deepest = 4;
const most = 40;

/** The names and kinds of a JSON value, and nothing that it holds: `{data: [24 × {id: text}]}`. */
export function shapeOf(value: unknown, depth = 0): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) {
		if (value.length === 0) return '[]';
		return depth === deepest ? '[…]' : `[${value.length} × ${shapeOf(value[0], depth + 1)}]`;
	}
	if (isObject(value)) return objectShape(value, depth);
	return typeof value === 'string' ? 'text' : typeof value;
}

function objectShape(value: Readonly<Record<string, unknown>>, depth: number): string {
	if (depth === deepest) return '{…}';
	const entries = Object.entries(value);
	const told = entries
		.slice(0, most)
		.map(([name, inner]) => `${fieldName(name)}: ${shapeOf(inner, depth + 1)}`);
	if (entries.length > most) told.push('…');
	return `{${told.join(', ')}}`;
}

// A service may use as a name what is a value, such as an id or a secret.
function fieldName(name: string): string {
	return /^[A-Za-z][A-Za-z_-]{0,39}$/.test(name) ? cleanText(name) : '…';
}
