import type { Theme } from './theme.ts';

/** The text in lines of at most that many cells, broken at spaces where there are any. */
export function wrapped(text: string, width: number, { ruler }: Theme): readonly string[] {
	const lines: string[] = [];
	let line = '';
	for (let word of text.split(' ')) {
		const longer = line === '' ? word : `${line} ${word}`;
		if (ruler.width(longer) <= width) {
			line = longer;
			continue;
		}
		if (line !== '') lines.push(line);
		while (ruler.width(word) > width) {
			const part = ruler.beginning(word, width) || word;
			lines.push(part);
			word = word.slice(part.length);
		}
		line = word;
	}
	return [...lines, line];
}
