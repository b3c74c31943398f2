import { replaceOnce } from './edit.js';

export const objectHash = {
	name: 'object-hash',
	reason:
		'It lists the ciphers of Node when it is loaded, which loads all of crypto. ink-table needs its sha1 when it first draws.',
	gain: 'It was not measured by itself; crypto is loaded by the first table in place of the start.',
	upstream: 'None: ink-table still asks for version 2, and later ones begin in the same way.',
	packages: { 'object-hash': '2.2.0' },
	files: {
		'object-hash/index.js': source => {
			replaceOnce(source, 'exports.sha1 = ', '');
			return `
				let made;
				function load() {
					const module = { exports: {} };
					(function (module, exports) {${source}
					})(module, module.exports);
					return module.exports;
				}
				export const sha1 = value => (made ??= load()).sha1(value);`;
		},
	},
};
