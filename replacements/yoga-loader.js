import { replaceOnce } from './edit.js';

export const yogaLoader = {
	name: 'yoga-loader',
	reason:
		'Yoga reads its WebAssembly with fetch(), which loads all of undici, and compiles it asynchronously. Our replacement compiles the same base64 text synchronously.',
	gain: '53 ms of CPU at the start on a busy machine: the time to load undici.',
	upstream:
		'https://github.com/vadimdemedes/ink/issues/787 asked for a synchronous Yoga and was closed. We know of no issue about the cost of data: addresses in Node.',
	packages: { 'yoga-layout': '3.2.1' },
	files: {
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
			const embedded = /"data:application\/octet-stream;base64,([^"]+)"/;
			const [, assembly] = embedded.exec(source) ?? [];
			return `${replaceOnce(source, embedded, '""')};\nexport const assembly = "${assembly}";`;
		},
	},
};
