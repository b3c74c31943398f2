type Redact = (text: string) => string;

/** What stands in the place of a secret, and of what was cut off. */
export const redacted = '…';

/**
 * An answer without the secrets that the platform quotes in it. Almost no answer quotes one, and to look
 * at each string of a long list takes time, so this looks at the whole text first.
 */
export function redactedJson(json: unknown, text: string, redact: Redact): unknown {
	if (typeof json !== 'object' || json === null || !hasSecret(json, text, redact)) return json;
	return redactValue(json, redact);
}

// A backslash may hide a secret from a look at the text: a slash, say, can be written in three ways.
function hasSecret(json: object, text: string, redact: Redact): boolean {
	const written = text.includes('\\') ? JSON.stringify(json) : text;
	return redact(written) !== written;
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

// A password may be a plain word. That must not change what a computer is said to be doing.
function isVocabulary(name: string, value: unknown): boolean {
	return /^(status|state)$/i.test(name) && typeof value === 'string' && /^[a-z_]+$/i.test(value);
}
