export const exitHooks = {
	name: 'exit-hooks',
	reason:
		'Every way out of our program gives the screen back in one place. These two packages would write to the terminal after that, and change how signals end the process.',
	gain: '3.4 kB of the bundle. The replacement serves correctness, not speed.',
	upstream: 'None: Ink is right to clean up after programs that do not do so themselves.',
	packages: { 'restore-cursor': '4.0.0', 'signal-exit': '3.0.7' },
	files: {
		'restore-cursor/index.js': () => 'export default () => {};',
		'signal-exit/index.js': () => 'export default () => () => {};',
	},
};
