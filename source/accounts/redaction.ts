// Removing a shorter one would garble ordinary words, and thereby reveal it.
const minSecretLength = 6;

export type Redaction = ReturnType<typeof createRedaction>;

export function createRedaction() {
	const spellings = new Set<string>();
	return {
		add(secret: string) {
			if (secret.length < minSecretLength) return;
			for (const spelling of [
				secret,
				encodeURIComponent(secret),
				JSON.stringify(secret).slice(1, -1),
			])
				spellings.add(spelling);
		},
		redact(text: string) {
			// A secret may contain another one.
			const longestFirst = [...spellings].sort((one, other) => other.length - one.length);
			return longestFirst.reduce((rest, spelling) => rest.replaceAll(spelling, '…'), text);
		},
	};
}
