import { replaceOnce } from './edit.js';

export const yogaLoader = {
	name: 'yoga-loader',
	reason:
		'Yoga reads its WebAssembly with fetch(), which loads all of undici, and compiles it asynchronously. Ours compiles it at once from the same base64 text.',
	gain: '53 ms of CPU at the start on a busy machine, which is what it costs to load undici.',
	upstream:
		'https://github.com/vadimdemedes/ink/issues/787 asks for a Yoga that is there without waiting, and was closed. That reading a data: address costs so much on Node has no issue that we know of.',
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
