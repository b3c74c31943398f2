// Makes a Debian package of the program, and checks it against Debian's policy.
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { arOf, tarOf } from './archive.js';

const architectures = {
	x64: 'amd64',
	arm64: 'arm64',
	arm: 'armhf',
	ppc64: 'ppc64el',
	s390x: 's390x',
};

/** Returns Debian's name for a processor that Node names. */
export function architectureOf(processor) {
	const architecture = architectures[processor];
	if (!architecture) throw new Error(`Debian has no architecture for ${processor}`);
	return architecture;
}

// The shared objects that Node needs, and Debian's packages of them. The dynamic linker comes with libc6, and the kernel
// has linux-vdso.
const packagesOfObjects = [
	[/^(libc|libm|libdl|libpthread|librt)\.so\./, 'libc6'],
	[/^libstdc\+\+\.so\.6$/, 'libstdc++6'],
	[/^libgcc_s\.so\.1$/, 'libgcc-s1'],
	[/^libatomic\.so\.1$/, 'libatomic1'],
	[/^(ld-linux.*|linux-vdso)\.so\./, undefined],
];

// The release of GCC that introduced each version of the symbols of the C++ library.
const gccReleases = {
	21: '5',
	22: '6',
	23: '7',
	25: '8',
	26: '9',
	29: '11',
	30: '12',
	32: '13',
	33: '14',
};

/**
 * Returns the packages that an executable needs, with their versions. The symbol `GLIBC_2.28`, for example, needs that
 * release of the C library.
 */
export function dependenciesOf(sharedObjects, executable) {
	const names = sharedObjects.flatMap(path => {
		const object = path.split('/').at(-1) ?? '';
		const found = packagesOfObjects.find(([pattern]) => pattern.test(object));
		if (!found) throw new Error(`No Debian package is known for ${object}`);
		return found[1] ?? [];
	});
	const glibc = highest(executable, /GLIBC_2\.(\d+)/g);
	const glibcxx = highest(executable, /GLIBCXX_3\.4\.(\d+)/g);
	const release = Object.entries(gccReleases).find(([version]) => Number(version) >= glibcxx)?.[1];
	const versions = {
		libc6: glibc && `2.${glibc}`,
		'libstdc++6': glibcxx && release,
	};
	return [...new Set(names)]
		.sort()
		.map(name => (versions[name] ? `${name} (>= ${versions[name]})` : name));
}

function highest(executable, pattern) {
	const found = executable.toString('latin1').matchAll(pattern);
	return [...found].reduce((most, [, number]) => Math.max(most, Number(number)), 0);
}

/**
 * Returns the files of the package with their paths. The content of a file is a text, or the bytes of the executable.
 */
export function filesOf({
	executable,
	manual,
	completions,
	licence,
	changelog,
	version,
	maintainer,
	seconds,
}) {
	const documents = 'usr/share/doc/crowsnest';
	const gzipped = text => gzipSync(text, { level: 9 });
	return [
		{ path: 'usr/bin/crowsnest', mode: 0o755, data: executable },
		{ path: 'usr/share/man/man1/crowsnest.1.gz', mode: 0o644, data: gzipped(manual) },
		{
			path: 'usr/share/bash-completion/completions/crowsnest',
			mode: 0o644,
			data: completions.bash,
		},
		{ path: 'usr/share/zsh/vendor-completions/_crowsnest', mode: 0o644, data: completions.zsh },
		{
			path: 'usr/share/fish/vendor_completions.d/crowsnest.fish',
			mode: 0o644,
			data: completions.fish,
		},
		{ path: `${documents}/copyright`, mode: 0o644, data: licence },
		{ path: `${documents}/changelog.gz`, mode: 0o644, data: gzipped(changelog) },
		{
			path: `${documents}/changelog.Debian.gz`,
			mode: 0o644,
			data: gzipped(debianChangelog(version, maintainer, seconds)),
		},
	].map(({ data, ...file }) => ({ ...file, data: Buffer.from(data) }));
}

function debianChangelog(version, maintainer, seconds) {
	const date = new Date(seconds * 1000).toUTCString().replace('GMT', '+0000');
	return `crowsnest (${version}) unstable; urgency=medium\n\n  * Package of crowsnest ${version}.\n\n -- ${maintainer}  ${date}\n`;
}

export function controlText({
	version,
	architecture,
	maintainer,
	dependencies,
	files,
	description,
}) {
	const size = files.reduce((sum, { data }) => sum + Math.ceil(data.length / 1024), 0);
	return [
		'Package: crowsnest',
		`Version: ${version}`,
		'Section: admin',
		'Priority: optional',
		`Architecture: ${architecture}`,
		`Installed-Size: ${size}`,
		`Depends: ${dependencies.join(', ')}`,
		`Maintainer: ${maintainer}`,
		`Description: ${description[0].toLowerCase()}${description.slice(1)}`,
		' Shows what each computer of an account is doing, how old that data is, and',
		' starts, stops and updates computers at the press of a key. Runs without Node.',
		'',
	].join('\n');
}

export function md5sumsText(files) {
	return files
		.map(({ path, data }) => `${createHash('md5').update(data).digest('hex')}  ${path}\n`)
		.join('');
}

/** Returns the package as bytes. `seconds` is the time of all its files. */
export function debianPackage({ control, files, seconds }) {
	const folders = [...new Set(files.flatMap(({ path }) => foldersAbove(path)))].sort();
	const data = [
		{ path: './', mode: 0o755 },
		...folders.map(path => ({ path: `./${path}/`, mode: 0o755 })),
		...files.map(({ path, ...file }) => ({ ...file, path: `./${path}` })),
	];
	const info = [
		{ path: './', mode: 0o755 },
		{ path: './control', mode: 0o644, data: Buffer.from(control) },
		{ path: './md5sums', mode: 0o644, data: Buffer.from(md5sumsText(files)) },
	];
	return arOf(
		[
			{ name: 'debian-binary', data: Buffer.from('2.0\n') },
			{ name: 'control.tar.gz', data: gzipSync(tarOf(info, seconds)) },
			{ name: 'data.tar.gz', data: gzipSync(tarOf(data, seconds)) },
		],
		seconds,
	);
}

const foldersAbove = path => {
	const folder = dirname(path);
	return folder === '.' ? [] : [...foldersAbove(folder), folder];
};

/** Returns violations of Debian's policy. */
export function policyViolationsOf({ control, files }) {
	const field = name => new RegExp(`^${name}: (.+)$`, 'm').exec(control)?.[1] ?? '';
	const wrongFiles = files.filter(
		({ path, mode }) => mode !== (path.startsWith('usr/bin/') ? 0o755 : 0o644),
	);
	const has = path => files.some(file => file.path === path);
	return [
		...[
			...['Package', 'Version', 'Architecture', 'Maintainer', 'Description', 'Depends'],
			...['Section', 'Priority', 'Installed-Size'],
		].flatMap(name => (field(name) === '' ? `The field ${name} is missing` : [])),
		...(/^[\d][\w.+~]*-[\w.+~]+$/.test(field('Version')) ? [] : ["The version is not Debian's"]),
		...(/^[^<>,]+ <[^<>@\s]+@[^<>\s]+>$/.test(field('Maintainer'))
			? []
			: ['The maintainer needs a name and an address']),
		...(/^(an? |the )|\.$|^.{80}/i.test(field('Description'))
			? ['The description begins with an article, ends with a full stop or is too long']
			: []),
		...wrongFiles.map(({ path }) => `${path} has the wrong mode`),
		...files.flatMap(({ path }) =>
			/^usr\/(bin|share)\//.test(path) ? [] : `${path} is in the wrong place`,
		),
		...['copyright', 'changelog.Debian.gz', 'changelog.gz'].flatMap(name =>
			has(`usr/share/doc/crowsnest/${name}`) ? [] : `The document ${name} is missing`,
		),
		...files.flatMap(({ path }) => (path.startsWith('etc/') ? `${path} would be a conffile` : [])),
	];
}
