const shortest = 6;

/** Takes secrets out of what is about to be said: what others answer may quote what they were told. */
export type Redaction = {
	add(secret: string): void;
	clean(text: string): string;
};

export function createRedaction(): Redaction {
	const secrets = new Set<string>();
	return {
		add(secret) {
			// Taking out what is very short would spoil every other word, and tell it by that.
			if (secret.length < shortest) return;
			secrets.add(secret);
			secrets.add(encodeURIComponent(secret));
			secrets.add(JSON.stringify(secret).slice(1, -1));
		},
		clean: text =>
			[...secrets]
				.sort((one, other) => other.length - one.length)
				.reduce((rest, secret) => rest.replaceAll(secret, '…'), text),
	};
}
