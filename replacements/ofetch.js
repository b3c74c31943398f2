import { replaceOnce } from './edit.js';

export const ofetch = {
	name: 'ofetch',
	reason:
		'The build of ofetch for Node contains a second fetch and reads globalThis.Headers when it is loaded, which makes Node load all of undici. Ours creates the client at the first request.',
	gain: '118 kB of the bundle, and 53 ms of CPU at the start on a busy machine, if nothing else loads undici.',
	upstream:
		'https://github.com/unjs/ofetch/pull/518 removes the second fetch in version 2, which is not released.',
	packages: { ofetch: '1.5.1' },
	files: {
		'ofetch/dist/node.mjs': source => {
			const shared = /import \{ c as createFetch \} from '(\.\/shared\/ofetch\.[^']+)'/;
			replaceOnce(source, shared, '');
			const [, path] = shared.exec(source) ?? [];
			return `
				import { c as createFetchNow } from '${path}';
				export { F as FetchError } from '${path}';
				export function createFetch(options) {
					let made;
					const make = () => (made ??= createFetchNow(options));
					return Object.assign((...request) => make()(...request), {
						raw: (...request) => make().raw(...request),
						native: (...request) => make().native(...request),
						create: (...more) => make().create(...more),
					});
				}`;
		},
	},
};
