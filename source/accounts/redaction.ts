const shortest = 6;

// What quotes a token comes soon after it was used, and each lives for an hour or so.
const mostTokens = 8;

/** Takes secrets out of what is about to be said: what others answer may quote what they were told. */
export type Redaction = {
	/** For a secret that stays, such as a password or a key. */
	add(secret: string): void;
	/** For one that another will replace: only the last few are remembered. */
	addToken(token: string): void;
	clean(text: string): string;
};

export function createRedaction(): Redaction {
	const lasting = new Set<string>();
	// The one that was used last stands last.
	const tokens = new Set<string>();
	let spellings: readonly string[] = [];

	function update() {
		const all = new Set([...lasting, ...tokens].flatMap(spellingsOf));
		// The longest first, so that nothing is left of it.
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
			if (tokens.size > mostTokens) tokens.delete(oldest);
			update();
		},
		clean: text => spellings.reduce((rest, form) => rest.replaceAll(form, '…'), text),
	};
}

// Taking out what is very short would spoil every other word, and tell it by that.
function spellingsOf(secret: string): readonly string[] {
	if (secret.length < shortest) return [];
	return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}
