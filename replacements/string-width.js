import { replaceOnce, terminalOutputFolder, withLazySegmenter } from './edit.js';

export const stringWidth = {
	name: 'string-width',
	reason:
		'Ink measures every text in every frame. Our replacement adds up the widths of plain characters without segmenting, caches other texts, and creates the segmenter and the tables of characters when a text first needs them.',
	packages: { 'string-width': '8.3.0' },
	files: {
		'string-width/index.js': source => {
			const withLateEmoji = replaceOnce(
				withLazySegmenter(source),
				/const rgiEmojiRegex = (\/.*\/v);/,
				'let madeEmoji; const rgiEmojiRegex = { test: text => (madeEmoji ??= new RegExp("^\\\\p{RGI_Emoji}$", "v")).test(text) };',
			);
			const withLatePatterns = replaceOnce(
				replaceOnce(
					withLateEmoji,
					/const visibleCharacterRegex = (\/.*\/v);/,
					'const visibleCharacterRegex = { test: text => $1.test(text), [Symbol.search]: text => text.search($1) };',
				),
				/const spacingMarkRegex = (\/.*\/v);/,
				'const spacingMarkRegex = { test: text => $1.test(text) };',
			);
			const measuring = replaceOnce(
				withLatePatterns,
				/export default function stringWidth/,
				'function measuredWidth',
			);
			return `import { createWidthMeasurer } from '${terminalOutputFolder}text-width.ts';
				${measuring}
				export default createWidthMeasurer(measuredWidth);`;
		},
	},
};
