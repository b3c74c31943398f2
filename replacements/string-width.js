import { replaceOnce, terminalOutputFolder } from './edit.js';

const withLateSegmenter = source =>
	replaceOnce(
		source,
		/const (\w+) = new Intl\.Segmenter\((.*?)\);/,
		(_, name, options) =>
			`let made;
			const ${name} = { segment: text => (made ??= new Intl.Segmenter(${options})).segment(text) };`,
	);

// Making this expression takes most of the time in which Node starts.
const withLateEmoji = source =>
	replaceOnce(
		source,
		/const rgiEmojiRegex = (.*);/,
		(_, expression) =>
			`let emoji;
			const rgiEmojiRegex = { test: text => (emoji ??= ${expression}).test(text) };`,
	);

export const stringWidth = {
	name: 'string-width',
	reason:
		'Ink measures the whole screen in every frame, and the package segments each text that is not ASCII. That is half of the processor time of a frame. The widths of plain characters are added up here. Segmenters and the expression for all emoji, which take as long as the start of Node, are made only when they are needed.',
	packages: {
		'string-width': '8.3.0',
		'wrap-ansi': '10.0.2',
		'slice-ansi': '10.0.1',
		ink: '8.0.0',
	},
	files: {
		'wrap-ansi/index.js': withLateSegmenter,
		'slice-ansi/tokenize-ansi.js': withLateSegmenter,
		'ink/build/line-update.js': withLateSegmenter,
		'string-width/index.js': source =>
			`import { plainTextWidth } from '${terminalOutputFolder}character-width.ts';
			${replaceOnce(withLateEmoji(withLateSegmenter(source)), /export default function stringWidth/, 'function exactWidth')}
			export default function stringWidth(text, options) {
				return (options ? undefined : plainTextWidth(text)) ?? exactWidth(text, options);
			}`,
	},
};
