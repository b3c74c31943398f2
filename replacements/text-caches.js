import { replaceOnce } from './edit.js';

const withSmallerCache = source => replaceOnce(source, 'maxSize: 4096', 'maxSize: 250');

export const textCaches = {
	name: 'text-caches',
	reason:
		'Ink keeps the last 8,192 texts that it measured and wrapped. A screen has some dozens of them. Ages and meters change every second, so the rest never come again.',
	gain: 'Memory after some hours: at most 500 texts are kept instead of 8,192.',
	upstream:
		'https://github.com/vadimdemedes/ink/issues/986 gave the caches a limit, which is not configurable.',
	packages: { ink: '8.0.0' },
	files: {
		'ink/build/measure-text.js': withSmallerCache,
		'ink/build/wrap-text.js': withSmallerCache,
	},
};
