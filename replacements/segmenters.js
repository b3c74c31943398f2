import { withLazySegmenter } from './edit.js';

export const segmenters = {
	name: 'segmenters',
	reason: 'Four modules create an Intl.Segmenter each when they are loaded. Plain text needs none.',
	packages: {
		'@alcalzone/ansi-tokenize': '0.3.2',
		ink: '8.0.0',
		'slice-ansi': '10.0.1',
		'wrap-ansi': '10.0.2',
	},
	files: {
		'@alcalzone/ansi-tokenize/build/tokenize.js': withLazySegmenter,
		'ink/build/line-update.js': withLazySegmenter,
		'slice-ansi/tokenize-ansi.js': withLazySegmenter,
		'wrap-ansi/index.js': withLazySegmenter,
	},
};
