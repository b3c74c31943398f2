// Makes the packages of this version: the archive that npm installs, and a Debian package of the executable, which
// needs no Node. Both are written to dist/, and the Debian package is checked by installing it into an empty root.
// DEBFULLNAME and DEBEMAIL name the maintainer, and SOURCE_DATE_EPOCH sets the time of all files.
import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './build.js';
import { manualPage } from './manual.js';

const { name, version, description } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const { DEBFULLNAME: person, DEBEMAIL: address, SOURCE_DATE_EPOCH: seconds } = process.env;
const maintainer = `${person ?? `The ${name} authors`} <${address ?? `${name}@localhost`}>`;
const time = seconds ?? String(Math.floor(Date.now() / 1000));
const run = (file, ...words) =>
	execFileSync(file, words, {
		cwd: root,
		maxBuffer: 1e8,
		env: { ...process.env, SOURCE_DATE_EPOCH: time },
	});

// npm builds the program before it makes the archive. The executable is made from the same build.
run('npm', 'pack', '--silent', '--pack-destination', 'dist');
await import('./executable.js');
const executable = `${root}dist/${name}`;
const folder = mkdtempSync(join(tmpdir(), `${name}-package-`));

/** Returns the newest release of the C library whose symbols the executable uses. */
function libraryVersion() {
	const found = readFileSync(executable)
		.toString('latin1')
		.matchAll(/GLIBC_2\.(\d+)/g);
	return `2.${Math.max(...Array.from(found, ([, minor]) => Number(minor)))}`;
}

const place = path => {
	const whole = join(folder, 'package', path);
	mkdirSync(dirname(whole), { recursive: true, mode: 0o755 });
	return whole;
};
const put = (path, data) => {
	writeFileSync(place(path), data);
	chmodSync(place(path), 0o644);
};
const gzipped = text => gzipSync(text, { level: 9 });

try {
	const architecture = run('dpkg', '--print-architecture').toString().trim();
	const revision = `${version}-1`;
	const documents = `usr/share/doc/${name}`;
	const date = new Date(Number(time) * 1000).toUTCString().replace('GMT', '+0000');
	copyFileSync(executable, place(`usr/bin/${name}`));
	chmodSync(place(`usr/bin/${name}`), 0o755);
	put(`usr/share/man/man1/${name}.1.gz`, gzipped(manualPage(version, description)));
	put(`usr/share/bash-completion/completions/${name}`, run(executable, 'completion', 'bash'));
	put(`usr/share/zsh/vendor-completions/_${name}`, run(executable, 'completion', 'zsh'));
	put(`usr/share/fish/vendor_completions.d/${name}.fish`, run(executable, 'completion', 'fish'));
	const licence = readFileSync(`${root}LICENSE`, 'utf8');
	put(`${documents}/copyright`, `${licence}\n${run(executable, 'licences')}`);
	put(`${documents}/changelog.gz`, gzipped(readFileSync(`${root}CHANGELOG.md`)));
	const change = `${name} (${revision}) unstable; urgency=medium\n\n  * Package of ${name} ${version}.\n\n -- ${maintainer}  ${date}\n`;
	put(`${documents}/changelog.Debian.gz`, gzipped(change));
	const size = run('du', '-sk', join(folder, 'package')).toString().split('\t')[0];
	const fields = {
		Package: name,
		Version: revision,
		Section: 'admin',
		Priority: 'optional',
		Architecture: architecture,
		'Installed-Size': size,
		Depends: `libc6 (>= ${libraryVersion()}), libgcc-s1, libstdc++6`,
		Maintainer: maintainer,
		Description: `${description.replace(/^An? /, '')}\n Shows what each computer of an account is doing, how old that data is, and\n starts, stops and updates computers at the press of a key. Runs without Node.`,
	};
	const control = Object.entries(fields).map(([field, value]) => `${field}: ${value}\n`);
	put('DEBIAN/control', control.join(''));
	const file = `dist/${name}_${revision}_${architecture}.deb`;
	run('dpkg-deb', '--root-owner-group', '-Zgzip', '--build', join(folder, 'package'), file);
	checkInstalled(file);
	process.stdout.write(`dist/${name}-${version}.tgz\n${file}\n`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}

/** Installs the package into an empty root, and runs what is there. Nothing else is installed, so no dependency is. */
function checkInstalled(file) {
	const clean = join(folder, 'root');
	mkdirSync(join(clean, 'var/lib/dpkg/updates'), { recursive: true });
	mkdirSync(join(clean, 'var/lib/dpkg/info'));
	writeFileSync(join(clean, 'var/lib/dpkg/status'), '');
	const forces = '--force-depends,not-root,bad-path';
	run('dpkg', `--root=${clean}`, `--log=${join(folder, 'log')}`, forces, '--install', file);
	const printed = run(join(clean, 'usr/bin', name), '--version').toString();
	if (printed !== `${name} ${version}\n`)
		throw new Error(`The installed program prints ${printed}`);
	run('dpkg', `--root=${clean}`, `--log=${join(folder, 'log')}`, forces, '--verify', name);
}
