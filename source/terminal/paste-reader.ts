const ends = ['\u001B[201~', '\u009B201~'];

/** So many characters may be the beginning of an end whose rest is on its way. */
const longestTail = 5;

/** Nobody means to type more than this, so the rest is read and not kept. */
const maxPaste = 100_000;

/** Collects what is pasted until the mark at its end, which may come in pieces. */
export function createPasteReader() {
	let content = '';
	let tail = '';

	return {
		/** Returns where the text goes on after the end of the paste, if the end is in it. */
		read(text: string, from: number): number | undefined {
			const rest = tail + text.slice(from);
			const [first] = ends
				.map(end => ({ at: rest.indexOf(end), length: end.length }))
				.filter(({ at }) => at >= 0)
				.sort((a, b) => a.at - b.at);
			const pasted = rest.slice(0, first?.at ?? -longestTail);
			content += pasted.slice(0, maxPaste - content.length);
			const before = tail.length;
			tail = first ? '' : rest.slice(-longestTail);
			return first && from - before + first.at + first.length;
		},
		/** Returns what was pasted, and forgets it. */
		take(): string {
			const pasted = content;
			content = '';
			tail = '';
			return pasted;
		},
	};
}
