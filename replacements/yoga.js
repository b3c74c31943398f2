import { terminalLayoutFolder } from './edit.js';

export const yoga = {
	name: 'yoga',
	reason:
		'Yoga is WebAssembly, which takes long to load and needs much memory. Our replacement lays out boxes and texts in JavaScript. It has the styles that our views use, and throws for any other style.',
	gain: 'The start: about 13 ms of 100 ms. Memory: 5 to 11 MB. A layout of 44 nodes: 150 to 230 µs with Yoga, 20 to 70 µs with our replacement.',
	upstream:
		'https://github.com/vadimdemedes/ink/issues/787 asked for Yoga to load faster and was closed.',
	packages: { 'yoga-layout': '3.2.1' },
	files: {
		'yoga-layout/dist/src/index.js': () =>
			`import constants from './generated/YGEnums.js';
			import { InkLayoutNode } from '${terminalLayoutFolder}ink-layout.ts';
			export default { ...constants, Node: InkLayoutNode };
			export * from './generated/YGEnums.js';`,
	},
};
