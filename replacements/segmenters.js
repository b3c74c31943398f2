import { withLazySegmenter } from './edit.js';

export const segmenters = {
	name: 'segmenters',
	reason: 'Four modules create an Intl.Segmenter each when they are loaded. Plain text needs none.',
	gain: '15 ms of CPU at the start for four segmenters, on a busy machine.',
	upstream: 'None: a few milliseconds at the start matter to few programs.',
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
