import { replaceOnce } from './edit.js';

export const objectHash = {
	name: 'object-hash',
	reason:
		'object-hash lists the hashes of Node when the module is loaded, which loads all of crypto. ink-table needs only sha1, and only when it first draws.',
	gain: 'Not measured separately. The first table loads crypto instead of the start.',
	upstream: 'None: ink-table depends on version 2, and later versions do the same.',
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
