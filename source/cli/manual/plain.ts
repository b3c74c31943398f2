import { wrappedLines } from '../help.ts';

/** Writes the lines of a manual page as plain text, for a person who looks at it on a terminal. */
export function plainManual(page: string, width: number): string {
	const lines: string[] = [];
	let [isVerbatim, isTerm, indent] = [false, false, 0];
	for (const line of page.trimEnd().split('\n')) {
		const [, macro, argument = ''] = /^\.(\S+) ?(.*)$/.exec(line) ?? [];
		const text = plainText(macro === undefined ? line : argument.replace(/^"(.*)"$/, '$1'));
		if (macro === undefined) {
			const margin = ' '.repeat(isVerbatim ? 4 : indent);
			const wrapped = isVerbatim ? [text] : wrappedLines(text, width - indent);
			lines.push(...wrapped.map(each => margin + each));
		}
		if (macro === 'SH') lines.push('', text);
		if (macro === 'SS') lines.push('', `  ${text}`);
		if (macro === 'PP') lines.push('');
		if (macro === 'B') lines.push(`    ${text}`);
		if (macro === 'nf' || macro === 'fi') isVerbatim = macro === 'nf';
		if (macro === 'TP') isTerm = true;
		else if (macro !== undefined && macro !== 'B') isTerm = false;
		indent = isTerm ? 10 : 4;
	}
	return `${lines.join('\n').trimStart()}\n`;
}

/** Returns a text without the escapes of man(7). */
function plainText(text: string): string {
	return text
		.replace(/^\\&/, '')
		.replaceAll('\\-', '-')
		.replaceAll('\\(aq', "'")
		.replaceAll('\\(dq', '"')
		.replaceAll('\\(ga', '`')
		.replaceAll('\\(ha', '^')
		.replaceAll('\\(ti', '~')
		.replace(/\\\[u([0-9A-F]+)\]/g, (_, code: string) =>
			String.fromCodePoint(Number.parseInt(code, 16)),
		)
		.replaceAll('\\e', '\\');
}
