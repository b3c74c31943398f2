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

// Escapes could hide a secret in the text: JSON has three ways of writing a slash, for example.
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

// A password may be an ordinary word such as `running`, and must not change the status of a computer.
function isVocabulary(name: string, value: unknown): boolean {
	return /^(status|state)$/i.test(name) && typeof value === 'string' && /^[a-z_]+$/i.test(value);
}
