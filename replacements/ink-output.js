import { replaceOnce, terminalOutputFolder } from './edit.js';

// Ink keeps thousands of texts. Ours are whole parts of the screen, which would fill 100 MB in a day.
const withSmallCache = source => replaceOnce(source, /maxSize: 4096/, 'maxSize: 50');

export const inkOutput = {
	name: 'ink-output',
	reason:
		'Ink creates an object for each cell and parses every text in every frame. Our replacement keeps parsed texts and hands the cells on as a grid, and only changed cells are written.',
	packages: { ink: '8.0.0' },
	files: {
		'ink/build/output.js': () =>
			`export { InkOutput as default } from '${terminalOutputFolder}ink-output.ts';`,
		// In our grid a control character is a blank, so no text has to be cleaned again in each frame.
		'ink/build/sanitize-ansi.js': () => 'export default text => text;',
		'ink/build/measure-text.js': withSmallCache,
		'ink/build/wrap-text.js': withSmallCache,
		// Our stream finds the grid by its name in what Ink writes. It drops sequences that erase the lines of the frame
		// before, and marks synchronised updates itself.
		'ink/build/log-update.js': source =>
			replaceOnce(source, /ansiEscapes\.eraseLines\(previousLineCount\) \+\s*text/, 'text'),
		'ink/build/write-synchronized.js': source =>
			replaceOnce(source, /return \([\s\S]*?\);/, 'return false;'),
	},
};
