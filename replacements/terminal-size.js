export const terminalSize = {
	name: 'terminal-size',
	reason:
		'Ink asks it when a stream has no size, for which it starts other programs. Our streams always have one.',
	gain: '1.5 kB of the bundle, and no programs that are started for a size.',
	upstream: 'https://github.com/vadimdemedes/ink/pull/854 added it on purpose, for pipes.',
	packages: { 'terminal-size': '4.0.1' },
	files: { 'terminal-size/index.js': () => 'export default () => ({ columns: 80, rows: 24 });' },
};
