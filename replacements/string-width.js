import { replaceOnce, terminalOutputFolder } from './edit.js';

const withLateSegmenter = source =>
	replaceOnce(
		source,
		/const (\w+) = new Intl\.Segmenter\((.*?)\);/,
		(_, name, options) =>
			`let made;
			const ${name} = { segment: text => (made ??= new Intl.Segmenter(${options})).segment(text) };`,
	);

export const stringWidth = {
	name: 'string-width',
	reason:
		'Ink measures the whole screen in every frame, and the package segments each text that is not ASCII. That is half of the processor time of a frame. The widths of plain characters are added up here. A segmenter, which takes a quarter of the time in which Node starts, is made only when one is needed.',
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
			${replaceOnce(withLateSegmenter(source), /export default function stringWidth/, 'function exactWidth')}
			export default function stringWidth(text, options) {
				return (options ? undefined : plainTextWidth(text)) ?? exactWidth(text, options);
			}`,
	},
};
