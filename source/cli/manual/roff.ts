// These functions write the macros of man(7). They escape every text, so that groff never takes a text for a
// macro.

/** Escapes a text for a line of a manual page. */
export function roffText(text: string): string {
	return text
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replaceAll("'", '\\(aq')
		.replaceAll('`', '\\(ga')
		.replaceAll('^', '\\(ha')
		.replaceAll('~', '\\(ti')
		.replace(/[^\x20-\x7e\n]/gu, character => `\\[u${codePointOf(character)}]`)
		.replace(/^\./gm, '\\&.');
}

function codePointOf(character: string): string {
	return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

export function roffArgument(text: string): string {
	return `"${roffText(text).replaceAll('"', '\\(dq')}"`;
}

export const sectionHeading = (title: string) => `.SH ${roffArgument(title.toUpperCase())}`;
export const subsectionHeading = (title: string) => `.SS ${roffArgument(title)}`;
export const paragraph = (text: string) => `.PP\n${roffText(text)}`;
export const boldText = (text: string) => `.B ${roffArgument(text)}`;

/** Formats a term, such as an option, with its meaning on an indented line below. */
export function definition(word: string, meaning: string): string {
	return `.TP\n${boldText(word)}\n${roffText(meaning)}`;
}

/** Formats lines that groff must neither join nor break. */
export function verbatimLines(lines: readonly string[]): string {
	return ['.PP', '.RS 4', '.nf', ...lines.map(roffText), '.fi', '.RE'].join('\n');
}
