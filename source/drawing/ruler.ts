import stringWidth from 'string-width';

/** Measures text in cells. */
export type Ruler = {
	width: (text: string) => number;
	/** Returns the longest beginning of the text that fits into `cells` cells. */
	beginning: (text: string, cells: number) => string;
	/** Splits the text into characters as a person sees them. */
	segments: (text: string) => readonly string[];
};

const asciiPattern = /^[\x20-\x7e]*$/;

export function createRuler(): Ruler {
	let segmenter: Intl.Segmenter | undefined;

	function segmented(text: string) {
		// The segmenter is created when it is first used, because creating it takes more time than a whole
		// frame.
		segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
		return segmenter.segment(text);
	}

	return {
		width: text => (asciiPattern.test(text) ? text.length : stringWidth(text)),
		beginning(text, cells) {
			if (cells <= 0) return '';
			if (asciiPattern.test(text)) return text.slice(0, cells);
			let width = 0;
			for (const { segment, index } of segmented(text)) {
				width += stringWidth(segment);
				if (width > cells) return text.slice(0, index);
			}
			return text;
		},
		segments: text => Array.from(segmented(text), ({ segment }) => segment),
	};
}
