export const errorOverview = {
	name: 'error-overview',
	reason:
		'Ink draws an error as its last frame, with the source around it. Our program prints it below the prompt after it has given the screen back.',
	gain: '6.4 kB of the bundle.',
	upstream: 'None: most programs want this overview.',
	packages: { ink: '8.0.0' },
	files: { 'ink/build/components/ErrorOverview.js': () => 'export default () => null;' },
};
