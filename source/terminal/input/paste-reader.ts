const pasteEndMarks = ['\u001B[201~', '\u009B201~'];

const maxPartialMarkLength = 5;

/** Only the beginning of a longer paste is kept. */
const maxPasteLength = 100_000;

/** The end mark may arrive in pieces. */
export function createPasteReader() {
	let content = '';
	let tail = '';

	return {
		/** The index after the end mark; undefined if the paste continues. */
		read(text: string, from: number): number | undefined {
			const rest = tail + text.slice(from);
			const [first] = pasteEndMarks
				.map(end => ({ at: rest.indexOf(end), length: end.length }))
				.filter(({ at }) => at >= 0)
				.sort((a, b) => a.at - b.at);
			const pasted = rest.slice(0, first?.at ?? -maxPartialMarkLength);
			content += pasted.slice(0, maxPasteLength - content.length);
			const before = tail.length;
			tail = first ? '' : rest.slice(-maxPartialMarkLength);
			return first && from - before + first.at + first.length;
		},
		take(): string {
			const pasted = content;
			content = '';
			tail = '';
			return pasted;
		},
	};
}
