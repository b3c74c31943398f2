// The build and the tests replace these parts of dependencies. Each replacement is written for one version
// of each package, and fails the build when another version is installed.
import { fileURLToPath } from 'node:url';
import { replaceOnce, terminalLayoutFolder } from './edit.js';
import { inkOutput } from './ink-output.js';
import { stringWidth } from './string-width.js';

const aliasTo = name => fileURLToPath(new URL(`aliases/${name}.js`, import.meta.url));

const yoga = {
	name: 'yoga',
	reason:
		'Yoga is WebAssembly, which costs 13 ms of the start and 5 to 11 MB. Our views need boxes below or beside each other.',
	packages: { 'yoga-layout': '3.2.1' },
	files: {
		'yoga-layout/dist/src/index.js': () =>
			`import constants from './generated/YGEnums.js';
			import { StackNode } from '${terminalLayoutFolder}stack-node.ts';
			export default { ...constants, Node: StackNode };
			export * from './generated/YGEnums.js';`,
	},
};

const withoutCheck = source => replaceOnce(source, /process\.env\['DEV'\]/g, 'undefined');

const developerTools = {
	name: 'developer-tools',
	reason:
		'With DEV=true in the environment Ink loads the React developer tools, with a top-level await that a bundle in CommonJS cannot have. It imports `process`, so no definition of the bundler reaches it.',
	packages: { ink: '8.0.0' },
	files: { 'ink/build/reconciler.js': withoutCheck },
};

const exitHooks = {
	name: 'exit-hooks',
	reason:
		'Every way out of our program gives the screen back in one place. These two packages would write to the terminal after that, and change how signals end the process.',
	packages: { 'restore-cursor': '4.0.0', 'signal-exit': '3.0.7' },
	aliases: {
		'restore-cursor': aliasTo('no-exit-hook'),
		'signal-exit': aliasTo('no-exit-hook'),
	},
};

const ofetch = {
	name: 'ofetch',
	reason:
		'The build of ofetch for Node contains a second fetch and loads all of undici, which takes longer than a command.',
	packages: { ofetch: '1.5.1' },
	aliases: { ofetch: aliasTo('ofetch') },
};

const terminalSize = {
	name: 'terminal-size',
	reason:
		'Ink asks this package, which starts other programs, for the size of a stream without one, such as that of a test.',
	packages: { 'terminal-size': '4.0.1' },
	aliases: { 'terminal-size': aliasTo('terminal-size') },
};

/** @type {readonly import('./plugins.js').Replacement[]} */
export const replacements = [
	inkOutput,
	stringWidth,
	yoga,
	developerTools,
	exitHooks,
	ofetch,
	terminalSize,
];
