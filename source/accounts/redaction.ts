// Shorter secrets are not replaced: that would garble ordinary words, and thereby reveal the secret.
const minSecretLength = 6;

// Only this many tokens of an account are remembered. A token is valid for about an hour, and a response can
// quote a token only soon after the token was sent.
const maxRememberedTokens = 8;

/** Removes secrets from messages, because an error of the platform may quote the request. */
export type Redaction = {
	/** Adds a permanent secret, such as a password or a key. */
	add(secret: string): void;
	/** Adds a token to remove. Tokens are renewed often, so only the latest few are remembered. */
	addToken(token: string): void;
	redact(text: string): string;
};

/** Creates the redaction of a single account. */
export const createRedaction = (): Redaction => createJointRedaction()();

/**
 * Returns a function that creates the redaction of each account. All of them remove the secrets of all accounts,
 * because an error of one account may quote another, for example when both have the same proxy.
 */
export function createJointRedaction(): () => Redaction {
	const permanentSecrets = new Set<string>();
	/** The remembered tokens of each account, the latest last. */
	const tokensOfAccounts: Set<string>[] = [];
	let spellings: readonly string[] = [];

	function updateSpellings() {
		const secrets = new Set([...permanentSecrets, ...tokensOfAccounts.flatMap(each => [...each])]);
		const all = new Set([...secrets].flatMap(spellingsOf));
		// Longer secrets are replaced first, because a secret may contain another one.
		spellings = [...all].sort((one, other) => other.length - one.length);
	}

	return () => {
		const tokens = new Set<string>();
		tokensOfAccounts.push(tokens);
		return {
			add(secret) {
				if (permanentSecrets.has(secret)) return;
				permanentSecrets.add(secret);
				updateSpellings();
			},
			addToken(token) {
				tokens.delete(token);
				tokens.add(token);
				const [oldest = ''] = tokens;
				if (tokens.size > maxRememberedTokens) tokens.delete(oldest);
				updateSpellings();
			},
			redact: text => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '…'), text),
		};
	};
}

/** Returns the secret as it appears in plain text, in a URL and in JSON. */
function spellingsOf(secret: string): readonly string[] {
	if (secret.length < minSecretLength) return [];
	return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}
