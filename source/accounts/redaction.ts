// Replacing very short secrets would garble ordinary words, and reveal the secret by doing so.
const shortest = 6;

// A response that quotes a token comes soon after the token was used, and a token lives for about an hour.
const maxTokens = 8;

/** Removes secrets from messages. The platform may quote in an error what it was sent. */
export type Redaction = {
	/** Adds a secret that does not change, such as a password or a key. */
	add(secret: string): void;
	/** Adds a token that another one will replace. Only the last few are remembered. */
	addToken(token: string): void;
	clean(text: string): string;
};

export function createRedaction(): Redaction {
	const lasting = new Set<string>();
	/** In the order of their use. */
	const tokens = new Set<string>();
	let spellings: readonly string[] = [];

	function update() {
		const all = new Set([...lasting, ...tokens].flatMap(spellingsOf));
		// The longest first: a secret may contain another one.
		spellings = [...all].sort((one, other) => other.length - one.length);
	}

	return {
		add(secret) {
			if (lasting.has(secret)) return;
			lasting.add(secret);
			update();
		},
		addToken(token) {
			tokens.delete(token);
			tokens.add(token);
			const [oldest = ''] = tokens;
			if (tokens.size > maxTokens) tokens.delete(oldest);
			update();
		},
		clean: text => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '…'), text),
	};
}

/** The secret as plain text, within a URL, and within JSON. */
function spellingsOf(secret: string): readonly string[] {
	if (secret.length < shortest) return [];
	return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}
