import { execFile } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const { env, simulator } = registerLiveAccount({ computers: 4 });

const anotherUser = 12_345;

/** Root can give a folder to another user. To anybody else, a folder of the system belongs to another user. */
function foreignFolder(): string {
	if (process.getuid?.() !== 0) return '/usr';
	const path = mkdtempSync(join(folder(), 'foreign-'));
	chownSync(path, anotherUser, anotherUser);
	return path;
}

const environment = (state: string) => ({
	...env(),
	CROWSNEST_PASSWORD: simulator().password,
	CROWSNEST_STATE_DIR: state,
	CROWSNEST_CONFIG_DIR: join(folder(), 'config'),
});

test('two monitors whose state folder belongs to another user poll alone, say so, and leave nothing in the folder', async () => {
	const state = foreignFolder();
	const before = readdirSync(state);
	const line = `exec ${process.execPath} ${program}`;
	const start = () => open({ columns: 160, rows: 30, line, env: environment(state) });
	const sessions = [start(), start()];
	for (const session of sessions) {
		await session.sees('4 computers');
		await session.sees('belongs to another user');
	}
	for (const session of sessions) session.press('q');
	for (const session of sessions) expect(await session.ended()).toMatchObject({ exitCode: 0 });
	expect(readdirSync(state)).toEqual(before);
});

test('a command whose state folder belongs to another user does its work, and says once what is wrong', async () => {
	const state = foreignFolder();
	const args = [program, 'stop', 'atlas', '--yes'];
	const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
		env: { ...process.env, ...environment(state) },
	});
	expect(stdout).toBe('atlas: stopping\n');
	expect(stderr.match(/belongs to another user.*/g)).toEqual([
		expect.stringContaining('or set CROWSNEST_STATE_DIR to another folder.'),
	]);
});
