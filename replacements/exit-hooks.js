export const exitHooks = {
	name: 'exit-hooks',
	reason:
		'The screen is given back in one place, which every way out goes through. These two would write to the terminal after that, and take part in how signals end the process.',
	gain: '3.4 kB of the bundle. It is there for what it leaves alone, and not for speed.',
	upstream: 'None: Ink is right to clean up after a program that does not do so itself.',
	packages: { 'restore-cursor': '4.0.0', 'signal-exit': '3.0.7' },
	files: {
		'restore-cursor/index.js': () => 'export default () => {};',
		'signal-exit/index.js': () => 'export default () => () => {};',
	},
};
