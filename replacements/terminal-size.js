export const terminalSize = {
	name: 'terminal-size',
	reason:
		'Ink calls terminal-size for a stream without a size, and terminal-size starts other programs to find one. Our streams always have a size.',
	gain: '1.5 kB of the bundle, and no child processes.',
	upstream: 'https://github.com/vadimdemedes/ink/pull/854 added the call for pipes, on purpose.',
	packages: { 'terminal-size': '4.0.1' },
	files: { 'terminal-size/index.js': () => 'export default () => ({ columns: 80, rows: 24 });' },
};
