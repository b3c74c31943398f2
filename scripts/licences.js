// Collects the licence texts of all bundled packages. MIT, ISC and BSD require their notice in every copy,
// so the build fails if a text is missing.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const noticesName = 'THIRD-PARTY-NOTICES.txt';

/** Returns the folder of a package from the path of one of its files; undefined for a file of this program. */
function packageOf(path) {
	const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path);
	return found?.[1];
}

/** Reads the licence file of a package. */
function textIn(folder) {
	const name = readdirSync(folder)
		.toSorted()
		.find(file => /^(licen[cs]e|copying)(\.(md|txt|mit))?$/i.test(file));
	return name && readFileSync(join(folder, name), 'utf8').trim();
}

/** This repository keeps the texts of packages that are published without a licence file. */
function keptText(name) {
	const file = new URL(`licences/${name}.txt`, import.meta.url);
	return existsSync(file) && readFileSync(file, 'utf8').trim();
}

/** Lists each bundled package once. */
export function noticesOf(metafile, root) {
	const folders = new Set();
	for (const { inputs } of Object.values(metafile.outputs)) {
		for (const path of Object.keys(inputs)) {
			const folder = packageOf(path);
			if (folder) folders.add(folder);
		}
	}
	const notices = [...folders].toSorted().map(folder => {
		const place = join(root, folder);
		const { name, version, license } = JSON.parse(
			readFileSync(join(place, 'package.json'), 'utf8'),
		);
		return { name, version, licence: license, text: textIn(place) ?? keptText(name) };
	});
	const missing = notices.filter(({ text }) => !text);
	if (missing.length > 0) {
		const names = missing.map(({ name, version }) => `${name} ${version}`).join(', ');
		throw new Error(`These bundled packages have no licence file: ${names}`);
	}
	return notices;
}

/** Writes the licence file that is shipped with the bundle, and returns its text. */
export function writeNotices(metafile, root, outfile) {
	const text = noticesText(noticesOf(metafile, root));
	writeFileSync(join(dirname(outfile), noticesName), text);
	return text;
}

/** Returns Node's licence, for an executable that contains Node. Node's distributions keep it next to `bin`. */
export function nodeNotice(execPath, version) {
	const folder = dirname(dirname(execPath));
	const places = [
		join(folder, 'LICENSE'),
		join(folder, 'share', 'doc', 'node', 'LICENSE'),
		join(folder, 'share', 'doc', 'nodejs', 'copyright'),
	];
	const place = places.find(each => existsSync(each));
	return (
		place && {
			name: 'Node.js',
			version,
			licence: 'see below',
			text: readFileSync(place, 'utf8').trim(),
		}
	);
}

export function noticesText(notices) {
	const rule = '-'.repeat(78);
	const parts = notices.map(
		({ name, version, licence, text }) => `${rule}\n${name} ${version} (${licence})\n\n${text}\n`,
	);
	return `crowsnest contains parts of these packages, under the licences that follow.\n\n${parts.join('\n')}`;
}
