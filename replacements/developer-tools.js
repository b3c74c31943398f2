import { replaceOnce } from './edit.js';

const withoutCheck = source => replaceOnce(source, /process\.env\['DEV'\]/g, 'undefined');

export const developerTools = {
	name: 'developer-tools',
	reason:
		'With DEV=true in the environment Ink connects to the tools of React, and reads that variable when it runs, so that a bundler keeps the code. DEV is set for other reasons on many machines.',
	gain: '1.9 kB of the bundle, and no react-devtools-core, without which the bundle would not start.',
	upstream:
		'https://github.com/vadimdemedes/ink/issues/571 asks for Ink without the tools, and is open.',
	packages: { ink: '8.0.0' },
	files: {
		'ink/build/ink.js': withoutCheck,
		'ink/build/reconciler.js': withoutCheck,
	},
};
