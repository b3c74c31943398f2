const ends = ['\u001B[201~', '\u009B201~'];

/** This many last characters may be the beginning of an end mark. */
const longestTail = 5;

/** Longer pastes are read to their end, but cut off. */
const maxPaste = 100_000;

/** Collects a paste until its end mark, which may arrive in pieces. */
export function createPasteReader() {
	let content = '';
	let tail = '';

	return {
		/** Returns the index after the end mark; undefined if the paste goes on. */
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
		/** Returns the paste and forgets it. */
		take(): string {
			const pasted = content;
			content = '';
			tail = '';
			return pasted;
		},
	};
}
