// These functions write the macros of man(7). They escape every text, so that groff reads no part of it as a
// command.

/** Escapes a text, either for a line or for the argument of a macro. */
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

/** Formats a word with its meaning on the next line. */
export function tagged(word: string, meaning: string): string {
	return `.TP\n${bold(word)}\n${roffText(meaning)}`;
}

/** Formats lines that groff must neither join nor break. */
export function verbatim(lines: readonly string[]): string {
	return ['.PP', '.RS 4', '.nf', ...lines.map(roffText), '.fi', '.RE'].join('\n');
}
