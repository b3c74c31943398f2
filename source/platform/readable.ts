import type { Answer } from './exchange.ts';
import { unreadable } from './platform-error.ts';

/** The JSON of an answer, or what it is instead. */
export function readable({ json, text }: Answer): unknown {
	if (json !== undefined) return json;
	if (text.trim() === '') throw unreadable('', 'JSON, got nothing');
	throw unreadable('', /^\s*</.test(text) ? 'JSON, got a web page' : 'JSON, got something else');
}
