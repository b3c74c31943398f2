// Makes one file that runs without Node: a copy of the Node that runs this script, with the program inside.
// It runs on the same system and processor as this machine.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'postject';
import { buildProgram, bundle, root } from './build.js';
import { nodeNotice, noticesName, noticesText } from './licences.js';

const isMac = process.platform === 'darwin';
const executable = `${root}dist/crowsnest`;
const folder = mkdtempSync(join(tmpdir(), 'crowsnest-executable-'));

try {
	await buildProgram();
	const [settings, blob] = [join(folder, 'settings.json'), join(folder, 'blob')];
	// The file also contains Node, so it must include Node's licence.
	const notices = readFileSync(`${root}dist/${noticesName}`, 'utf8');
	const ofNode = nodeNotice(process.execPath, process.version);
	if (!ofNode) throw new Error(`No licence of Node found next to ${process.execPath}`);
	const all = join(folder, noticesName);
	writeFileSync(all, `${notices}\n${noticesText([ofNode])}`);
	const options = {
		main: bundle,
		output: blob,
		disableExperimentalSEAWarning: true,
		assets: { notices: all },
	};
	writeFileSync(settings, JSON.stringify(options));
	execFileSync(process.execPath, ['--experimental-sea-config', settings], { stdio: 'ignore' });

	rmSync(executable, { force: true });
	copyFileSync(process.execPath, executable);
	chmodSync(executable, 0o755);
	// macOS rejects a file with an invalid signature, and the change makes Node's signature invalid.
	if (isMac) execFileSync('codesign', ['--remove-signature', executable]);
	await inject(executable, 'NODE_SEA_BLOB', readFileSync(blob), {
		sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
		...(isMac && { machoSegmentName: 'NODE_SEA' }),
	});
	if (isMac) execFileSync('codesign', ['--sign', '-', executable]);
} finally {
	rmSync(folder, { recursive: true, force: true });
}

const version = execFileSync(executable, ['--version'], { encoding: 'utf8' }).trim();
process.stdout.write(`${executable}: ${version}\n`);
