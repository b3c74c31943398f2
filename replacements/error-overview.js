export const errorOverview = {
	name: 'error-overview',
	reason:
		'Ink draws an error as its last frame, with the source around it. Ours is printed below the prompt once the screen is given back.',
	gain: '6.4 kB of the bundle.',
	upstream: 'None: an overview is what most programs want.',
	packages: { ink: '8.0.0' },
	files: { 'ink/build/components/ErrorOverview.js': () => 'export default () => null;' },
};
