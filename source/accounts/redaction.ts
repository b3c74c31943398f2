// Shorter secrets are not removed: that would garble ordinary words, and thereby reveal the secret.
const minSecretLength = 6;

/** Removes secrets from messages, because an error of the platform may quote the request. */
export type Redaction = {
	add(secret: string): void;
	redact(text: string): string;
};

export function createRedaction(): Redaction {
	const spellings = new Set<string>();
	return {
		add(secret) {
			if (secret.length < minSecretLength) return;
			for (const spelling of [
				secret,
				encodeURIComponent(secret),
				JSON.stringify(secret).slice(1, -1),
			])
				spellings.add(spelling);
		},
		redact(text) {
			// Longer secrets are removed first, because a secret may contain another one.
			const longestFirst = [...spellings].sort((one, other) => other.length - one.length);
			return longestFirst.reduce((rest, spelling) => rest.replaceAll(spelling, '…'), text);
		},
	};
}
