// What the build puts in the place of parts of Ink and of what Ink is made of. Each is pinned by
// package-lock.json, and the build fails when one is not where or what it is expected to be.
import { accessSync, readFileSync } from 'node:fs';

const terminal = new URL('../source/terminal/', import.meta.url).pathname;
const modules = new URL('../node_modules/', import.meta.url).pathname;

// The wide table of emoji and the segmenter cost more to make than the first picture takes, and are
// asked for only when a text is not plain.
const lazySegmenter = source =>
	replaceOnce(
		source,
		/const (\w+) = new Intl\.Segmenter\(([^)]*)\);/,
		'let made; const $1 = {segment: text => (made ??= new Intl.Segmenter($2)).segment(text)};',
	);

/** By the path below node_modules. */
const substitutes = {
	// Ink's grid of cells makes an object a cell and reads every text anew in every frame.
	'ink/build/output.js': () => `export { InkOutput as default } from '${terminal}ink-output.ts';`,
	// Yoga's own loader asks for its program with fetch(), which loads the whole of undici.
	'yoga-layout/dist/src/index.js': source =>
		replaceOnce(
			source,
			/import loadYoga from '(.*)';[\s\S]*const Yoga = wrapAssembly\(await loadYoga\(\)\);/,
			`import loadYoga, { assembly } from '$1';
			import wrapAssembly from './wrapAssembly.js';
			const library = {
				instantiateWasm(imports, receive) {
					const module = new WebAssembly.Module(Buffer.from(assembly, 'base64'));
					receive(new WebAssembly.Instance(module, imports));
					return {};
				},
			};
			loadYoga(library);
			const Yoga = wrapAssembly(library);`,
		),
	'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js': source => {
		const [, assembly] = /"data:application\/octet-stream;base64,([^"]+)"/.exec(source) ?? [];
		return `${replaceOnce(source, /"data:[^"]+"/, '""')}; export const assembly = "${assembly}";`;
	},
	'string-width/index.js': source =>
		`${replaceOnce(
			replaceOnce(
				lazySegmenter(source),
				/const rgiEmojiRegex = (\/.*\/v);/,
				'let madeRgiEmoji; const rgiEmojiRegex = {test: text => (madeRgiEmoji ??= new RegExp("^\\\\p{RGI_Emoji}$", "v")).test(text)};',
			),
			/export default function stringWidth/,
			'function measuredWidth',
		)}
		import { createTextWidth } from '${terminal}text-width.ts';
		export default createTextWidth(measuredWidth);`,
	// Takes every text to pieces to find what does not belong there, in which most have nothing.
	'ink/build/sanitize-ansi.js': source =>
		replaceOnce(
			source,
			'export default sanitizeAnsi;',
			`import { isPlainlyStyled } from '${terminal}plain-text.ts';
			export default text => (isPlainlyStyled(text) ? text : sanitizeAnsi(text));`,
		),
	// They keep every text of the last hours, and a screen has some dozens.
	'ink/build/measure-text.js': source => replaceOnce(source, 'maxSize: 4096', 'maxSize: 250'),
	'ink/build/wrap-text.js': source => replaceOnce(source, 'maxSize: 4096', 'maxSize: 250'),
	'wrap-ansi/index.js': lazySegmenter,
	'slice-ansi/tokenize-ansi.js': lazySegmenter,
	'@alcalzone/ansi-tokenize/build/tokenize.js': lazySegmenter,
	'ink/build/line-update.js': lazySegmenter,
	// The screen is given back in one place only, which every way out goes through: neither of these
	// is to write to a stream, or to take part in how the process ends.
	'restore-cursor/index.js': () => 'export default () => {};',
	'signal-exit/index.js': () => 'module.exports = () => () => {};',
	// Asked only when a stream has no size, which ours always has; starts other programs to find out.
	'terminal-size/index.js': () => 'export default () => ({ columns: 80, rows: 24 });',
	// Errors are told below the prompt.
	'ink/build/components/ErrorOverview.js': () => 'export default () => null;',
	// Its build for Node brings a second fetch along, and asks for Headers when it is loaded, for which
	// Node loads the whole of undici: neither is needed before the first request.
	'ofetch/dist/node.mjs': source => {
		const [, shared] = /from '(\.\/shared\/ofetch\.[^']+)'/.exec(source) ?? [];
		return `
			import { c } from '${shared}';
			export { F as FetchError } from '${shared}';
			export function createFetch(options) {
				let made;
				const make = () => (made ??= c(options));
				return Object.assign((...request) => make()(...request), {
					raw: (...request) => make().raw(...request),
					create: (...more) => make().create(...more),
				});
			}`;
	},
	// Reads all of what Node knows of ciphers when it is loaded, which no first picture needs.
	'object-hash/index.js': source => `
		let made;
		function load() {
			const module = { exports: {} };
			(function (module, exports) {${source}
			})(module, module.exports);
			return module.exports;
		}
		exports.sha1 = value => (made ??= load()).sha1(value);`,
	// Only Ink's own developers set DEV; it is read at run time, and awaited for.
	'ink/build/reconciler.js': source => source.replaceAll("process.env['DEV']", 'undefined'),
	'ink/build/ink.js': source => source.replaceAll("process.env['DEV']", 'undefined'),
};

function replaceOnce(source, pattern, replacement) {
	const replaced = source.replace(pattern, replacement);
	if (replaced === source) throw new Error(`Not found any more: ${pattern}`);
	return replaced;
}

export const substitution = {
	name: 'substitution',
	setup(build) {
		for (const path of Object.keys(substitutes)) accessSync(`${modules}${path}`);
		build.onLoad({ filter: /\/node_modules\// }, ({ path }) => {
			const substitute = substitutes[path.split('/node_modules/').at(-1)];
			if (!substitute) return undefined;
			return { contents: substitute(readFileSync(path, 'utf8')), loader: 'js' };
		});
		// Ink reads this package only when DEV is set.
		build.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({
			path,
			namespace: 'empty',
		}));
		build.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {}' }));
	},
};
