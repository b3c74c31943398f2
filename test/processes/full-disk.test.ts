import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const { env, simulator } = registerLiveAccount({ computers: 4 });

/** The system then refuses every byte of every file, as a full disk does. Without the trap, it would end the program. */
const withoutFiles = "trap '' XFSZ; ulimit -f 0;";

function environment(name: string) {
	const state = join(folder(), name);
	mkdirSync(state, { mode: 0o700 });
	return {
		...env(),
		CROWSNEST_PASSWORD: simulator().password,
		CROWSNEST_STATE_DIR: state,
		CROWSNEST_CONFIG_DIR: join(folder(), 'config'),
	};
}

test('a monitor that can write no file shows the fleet, counts its requests alone, says what is wrong, and quits as usual', async () => {
	const session = open({
		columns: 120,
		rows: 30,
		line: `${withoutFiles} exec ${process.execPath} ${program}`,
		env: environment('monitor'),
	});
	await session.sees('4 computers');
	await session.sees('Cannot save the');
	await session.press('j');
	session.press('q');
	expect(await session.ended()).toMatchObject({ exitCode: 0 });
});

test('a command that can write no file does its work, and says once what is wrong with all files of the account', async () => {
	const line = `${withoutFiles} exec ${process.execPath} ${program} publish atlas 3000 --yes`;
	const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line], {
		env: { ...process.env, ...environment('command') },
	});
	expect(stdout).toContain('port 3000 of atlas: published');
	expect(stderr).toContain('Cannot save the token: the system allows no larger file');
	expect(stderr).not.toContain('EFBIG');
	expect(stderr).toContain('Publish of atlas is sent, but the journal cannot note it: the system');
	// The journal and the snapshot fail for the same reason, which is reported once.
	expect(stderr.match(/Cannot save (?!the token).*/g)).toEqual([
		expect.stringMatching(/^Cannot save the [\w ]+: the system allows no larger file$/),
	]);
});
