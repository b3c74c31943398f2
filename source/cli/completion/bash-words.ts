// bash passes the line as it was typed, and inserts each candidate as it stands. So the quotes of the line are
// read here, and every candidate is quoted in the same way.

const words = /(?:[^\s\\'"]|\\[\s\S]?|'[^']*'?|"(?:[^"\\]|\\[\s\S]?)*"?)+/g;

/** Splits a line into its words. The last one is the word at the cursor, which is empty after a space. */
export function typedWords(line: string): readonly string[] {
	const found = [...line.matchAll(words)];
	const last = found.at(-1);
	const endsWithWord = last !== undefined && last.index + last[0].length === line.length;
	return [...found.map(([word]) => word), ...(endsWithWord ? [] : [''])];
}

/** Returns what a typed word means without its quotes. */
export function unquoted(typed: string): string {
	return typed.replace(
		/\\([\s\S]?)|'([^']*)'?|"((?:[^"\\]|\\[\s\S]?)*)"?/g,
		(_, escaped?: string, single?: string, double?: string) =>
			escaped ?? single ?? (double ?? '').replace(/\\([\\"$`])/g, '$1'),
	);
}

/**
 * Returns the text that completes the typed word to the candidate; undefined if that is impossible. bash replaces
 * only the part of the word behind the last of `wordBreaks`, such as the colon in `a:b`.
 */
export function bashCompletion(
	candidate: string,
	typed: string,
	wordBreaks: string,
): string | undefined {
	if (!candidate.startsWith(unquoted(typed))) return undefined;
	const start = startOfPart(typed, wordBreaks);
	const rest = candidate.slice(unquoted(typed.slice(0, start)).length);
	const part = typed.slice(start);
	if (/^'[^']*$/.test(part)) return `'${rest.replaceAll("'", "'\\''")}`;
	// Within double quotes, an interactive bash expands an exclamation mark even after a backslash.
	if (/^"([^"\\]|\\[\s\S])*$/.test(part)) return /[\\"$`!]/.test(rest) ? undefined : `"${rest}`;
	// A quote that opens or ends within the word is not completed.
	if (!/^([^'"\\]|\\[\s\S])*$/.test(part)) return undefined;
	return rest.replace(/[^\w./:=@%+,\-\u0080-\u{10FFFF}]/gu, '\\$&');
}

function startOfPart(typed: string, wordBreaks: string): number {
	const [unquotedStart = ''] = /^([^'"\\]|\\[\s\S])*/.exec(typed) ?? [];
	const characters = [...unquotedStart.matchAll(/\\[\s\S]|[\s\S]/g)];
	const lastBreak = characters.findLast(([character]) => wordBreaks.includes(character));
	return lastBreak === undefined ? 0 : lastBreak.index + 1;
}
