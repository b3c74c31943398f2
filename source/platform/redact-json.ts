import { isObject } from './fields.ts';

type Redact = (text: string) => string;

/** Replaces a secret, and the end of a text that was cut. */
export const redacted = '…';

/**
 * The JSON of a response without the secrets that the platform quotes in it. Almost no response quotes one, and
 * checking each string of a long list takes time, so this checks the whole text first.
 */
export function redactedJson(json: unknown, text: string, redact: Redact): unknown {
	if (typeof json !== 'object' || json === null || !hasSecret(json, text, redact)) return json;
	return redactValue(json, redact);
}

// Escapes could hide a secret in the text: JSON has three ways of writing a slash, for example. So a text with
// escapes is not searched, but the strings that it stands for.
function hasSecret(json: object, text: string, redact: Redact): boolean {
	if (!text.includes('\\')) return redact(text) !== text;
	const search: Search = { redact, names: new Set(), strings: [], length: 0 };
	return hasSecretIn(json, search) || endSearch(search);
}

/** Joins strings before it searches them, because one long search is faster than many short ones. */
type Search = {
	redact: Redact;
	/** The names that were added. Most records share theirs. */
	names: Set<string>;
	/** The strings that are not searched yet. */
	strings: string[];
	length: number;
};

const longestSearch = 64 * 1_024;

function hasSecretIn(value: unknown, search: Search): boolean {
	if (typeof value === 'string') return addString(search, value);
	if (Array.isArray(value)) return value.some(each => hasSecretIn(each, search));
	if (!isObject(value)) return false;
	// `Object.entries` makes an array for each record, which takes twice as long for a long list.
	for (const name in value) {
		if (addName(search, name) || hasSecretIn(value[name], search)) return true;
	}
	return false;
}

function addName(search: Search, name: string): boolean {
	if (search.names.has(name)) return false;
	search.names.add(name);
	return addString(search, name);
}

/** Returns whether a secret was found. */
function addString(search: Search, text: string): boolean {
	search.strings.push(text);
	search.length += text.length;
	return search.length >= longestSearch && endSearch(search);
}

function endSearch(search: Search): boolean {
	const joined = search.strings.join('\n');
	search.strings = [];
	search.length = 0;
	return search.redact(joined) !== joined;
}

function redactValue(value: unknown, redact: Redact): unknown {
	if (typeof value === 'string') return redact(value);
	if (Array.isArray(value)) return value.map(each => redactValue(each, redact));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, each]) => [
			redact(name),
			isVocabulary(name, each) ? each : redactValue(each, redact),
		]),
	);
}

// A password may be an ordinary word such as `running`, and must not change the status of a computer.
function isVocabulary(name: string, value: unknown): boolean {
	return /^(status|state)$/i.test(name) && typeof value === 'string' && /^[a-z_]+$/i.test(value);
}
