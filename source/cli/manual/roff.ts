// A manual page as man and groff read it: macros of man(7), and texts with nothing in them that either
// would obey.

/** A text in a line, or in what a macro is given. */
export function roffText(text: string): string {
	return text
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replaceAll("'", '\\(aq')
		.replaceAll('`', '\\(ga')
		.replaceAll('^', '\\(ha')
		.replaceAll('~', '\\(ti')
		.replace(/[^\x20-\x7e\n]/gu, character => `\\[u${codeOf(character)}]`)
		.replace(/^\./gm, '\\&.');
}

function codeOf(character: string): string {
	return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

export function roffArgument(text: string): string {
	return `"${roffText(text).replaceAll('"', '\\(dq')}"`;
}

export const section = (title: string) => `.SH ${roffArgument(title.toUpperCase())}`;
export const subsection = (title: string) => `.SS ${roffArgument(title)}`;
export const paragraph = (text: string) => `.PP\n${roffText(text)}`;
export const bold = (text: string) => `.B ${roffArgument(text)}`;

/** A word, and below it what it means. */
export function tagged(word: string, meaning: string): string {
	return `.TP\n${bold(word)}\n${roffText(meaning)}`;
}

/** Lines as they stand, each of them. */
export function verbatim(lines: readonly string[]): string {
	return ['.PP', '.RS 4', '.nf', ...lines.map(roffText), '.fi', '.RE'].join('\n');
}
