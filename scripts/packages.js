// Makes the packages of this version: the archive that npm installs, and a Debian package of the executable, which
// needs no Node. Both are written to dist/. DEBFULLNAME and DEBEMAIL name the maintainer, and SOURCE_DATE_EPOCH sets
// the time of all files.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { root } from './build.js';
import {
	architectureOf,
	controlText,
	debianPackage,
	dependenciesOf,
	filesOf,
	policyViolationsOf,
} from './packages/debian.js';

if (process.platform !== 'linux') throw new Error('A Debian package is made on Linux');

const textOf = path => readFileSync(`${root}${path}`, 'utf8');
const { name, version: upstream, description } = JSON.parse(textOf('package.json'));
const { env } = process;
const seconds = Number(env.SOURCE_DATE_EPOCH ?? Math.floor(Date.now() / 1000));

// npm builds the program before it makes the archive.
execFileSync('npm', ['pack', '--silent', '--pack-destination', `${root}dist`], { cwd: root });
// The executable is made from the same build.
await import('./executable.js');

const path = `${root}dist/${name}`;
const printed = (...words) => execFileSync(path, words, { maxBuffer: 1e8 });
const executable = readFileSync(path);
const version = `${upstream}-1`;
const architecture = architectureOf(process.arch);
const maintainer = `${env.DEBFULLNAME ?? `The ${name} authors`} <${env.DEBEMAIL ?? `${name}@localhost`}>`;
const files = filesOf({
	executable,
	manual: printed('man'),
	completions: {
		bash: printed('completion', 'bash'),
		zsh: printed('completion', 'zsh'),
		fish: printed('completion', 'fish'),
	},
	licence: `${textOf('LICENSE')}\n${printed('licences')}`,
	changelog: textOf('CHANGELOG.md'),
	...{ version, maintainer, seconds },
});
const { sharedObjects } = process.report.getReport();
const control = controlText({
	...{ version, architecture, maintainer, files },
	dependencies: dependenciesOf(sharedObjects, executable),
	description: description.replace(/^An? /, ''),
});
const problems = policyViolationsOf({ control, files });
if (problems.length > 0) throw new Error(problems.join('\n'));
const outputs = [`dist/${name}-${upstream}.tgz`, `dist/${name}_${version}_${architecture}.deb`];
writeFileSync(`${root}${outputs[1]}`, debianPackage({ control, files, seconds }));
for (const output of outputs) {
	const size = statSync(`${root}${output}`).size / 1024 / 1024;
	process.stdout.write(`${output}: ${size.toFixed(1)} MB\n`);
}
