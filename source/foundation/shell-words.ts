export function shellCommandFrom(words: readonly string[]): string {
	return words.map(quoteForShell).join(' ');
}

/** A control character becomes visible, so that the text can be shown. */
export function quoteForShell(word: string): string {
	if (/^[\w@%+=:,./-]+$/.test(word)) return word;
	if (!/\p{Cc}/u.test(word)) return `'${word.replaceAll("'", `'\\''`)}'`;
	const escaped = word
		.replace(/[\\']/g, '\\$&')
		.replace(
			/\p{Cc}/gu,
			character => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
		);
	return `$'${escaped}'`;
}
