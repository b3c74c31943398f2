import { replaceOnce } from './edit.js';

const withoutCheck = source => replaceOnce(source, /process\.env\['DEV'\]/g, 'undefined');

export const developerTools = {
	name: 'developer-tools',
	reason:
		'With DEV=true in the environment Ink connects to the React developer tools. It reads the variable at run time, so a bundler keeps the code, and DEV is set for other reasons on many machines.',
	gain: '1.9 kB of the bundle. Without it the bundle would need react-devtools-core to start.',
	upstream:
		'https://github.com/vadimdemedes/ink/issues/571 asks for Ink without these tools, and is open.',
	packages: { ink: '8.0.0' },
	files: {
		'ink/build/ink.js': withoutCheck,
		'ink/build/reconciler.js': withoutCheck,
	},
};
