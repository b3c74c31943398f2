// Shorter secrets are not replaced: that would garble ordinary words, and thereby reveal the secret.
const shortest = 6;

// Only this many tokens are remembered. A token lives for about an hour, and a response that quotes a token
// comes soon after its use.
const maxTokens = 8;

/** Removes secrets from messages, because an error of the platform may quote the request. */
export type Redaction = {
	/** Adds a permanent secret, such as a password or a key. */
	add(secret: string): void;
	/** Adds a token, which another one will replace. Only the latest tokens are remembered. */
	addToken(token: string): void;
	clean(text: string): string;
};

export function createRedaction(): Redaction {
	const lasting = new Set<string>();
	/** The remembered tokens, the latest last. */
	const tokens = new Set<string>();
	let spellings: readonly string[] = [];

	function update() {
		const all = new Set([...lasting, ...tokens].flatMap(spellingsOf));
		// Longer secrets are replaced first, because a secret may contain another one.
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

/** Returns the secret as it appears in plain text, in a URL and in JSON. */
function spellingsOf(secret: string): readonly string[] {
	if (secret.length < shortest) return [];
	return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}
