import { isObject } from './fields.ts';
import { jsonBounds } from './json-measure.ts';
import { tooLargeError } from './platform-error.ts';

type Redact = (text: string) => string;

/** The text that replaces a secret, and the end of a text that was cut. */
export const redactionMark = '…';

/**
 * Removes secrets from the JSON of a response, in case the platform quotes one. Almost no response does, and
 * checking every string of a long list is slow, so this checks the whole text first.
 */
export function redactedJson(json: unknown, text: string, redact: Redact): unknown {
	if (typeof json !== 'object' || json === null || !hasSecret(json, text, redact)) return json;
	return redactValue(json, redact, 1);
}

// Escapes can hide a secret in the text, because JSON has several ways of writing a character such as a slash.
// So if the text contains escapes, this searches the decoded strings.
function hasSecret(json: object, text: string, redact: Redact): boolean {
	if (!text.includes('\\')) return redact(text) !== text;
	const search: SecretSearch = {
		redact,
		searchedNames: new Set(),
		pendingStrings: [],
		pendingLength: 0,
	};
	return hasSecretIn(json, search, 1) || searchCollectedStrings(search);
}

/** Joins strings before searching, because one long search is faster than many short ones. */
type SecretSearch = {
	redact: Redact;
	/** The field names that were added already. Most records have the same names. */
	searchedNames: Set<string>;
	/** The strings that have not been searched yet. */
	pendingStrings: string[];
	pendingLength: number;
};

const maxSearchLength = 64 * 1_024;

function hasSecretIn(value: unknown, search: SecretSearch, depth: number): boolean {
	if (typeof value === 'string') return addString(search, value);
	refuseDeeper(depth);
	if (Array.isArray(value)) return value.some(each => hasSecretIn(each, search, depth + 1));
	if (!isObject(value)) return false;
	// `Object.entries` would allocate an array for each record and take twice as long for a long list.
	for (const name in value) {
		if (addName(search, name) || hasSecretIn(value[name], search, depth + 1)) return true;
	}
	return false;
}

function addName(search: SecretSearch, name: string): boolean {
	if (search.searchedNames.has(name)) return false;
	search.searchedNames.add(name);
	return addString(search, name);
}

/** Adds a text to the search. Returns whether a secret was found so far. */
function addString(search: SecretSearch, text: string): boolean {
	search.pendingStrings.push(text);
	search.pendingLength += text.length;
	return search.pendingLength >= maxSearchLength && searchCollectedStrings(search);
}

function searchCollectedStrings(search: SecretSearch): boolean {
	const joined = search.pendingStrings.join('\n');
	search.pendingStrings = [];
	search.pendingLength = 0;
	return search.redact(joined) !== joined;
}

function redactValue(value: unknown, redact: Redact, depth: number): unknown {
	if (typeof value === 'string') return redact(value);
	refuseDeeper(depth);
	if (Array.isArray(value)) return value.map(item => redactValue(item, redact, depth + 1));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, each]) => [
			redact(name),
			isStatusWord(name, each) ? each : redactValue(each, redact, depth + 1),
		]),
	);
}

// The depth of some records is never measured. Walking through a record that is nested too deep would end the program. The
// record itself may lie within other objects of the response, so the limit is twice that of a response.
function refuseDeeper(depth: number): void {
	if (depth > 2 * jsonBounds.maxDepth) throw tooLargeError(`at most ${jsonBounds.maxDepth} levels`);
}

// A password may be an ordinary word such as `running`. Redacting it must not change the status of a computer.
function isStatusWord(name: string, value: unknown): boolean {
	return /^(status|state)$/i.test(name) && typeof value === 'string' && /^[a-z_]+$/i.test(value);
}
