import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckRecord } from '../../../source/cli/doctor/check.ts';
import { createTestHost, type TestHost } from '../host.ts';

async function checksOf(host: TestHost): Promise<readonly CheckRecord[]> {
	await host.run('doctor', '--json');
	return (JSON.parse(host.output()) as { checks: CheckRecord[] }).checks;
}

function hostWithState() {
	const host = createTestHost();
	const path = (...parts: readonly string[]) => join(host.folder, 'state', ...parts);
	for (const name of ['', 'journal', 'pace', 'tokens']) {
		mkdirSync(path(name), { recursive: true, mode: 0o700 });
	}
	return { host, path };
}

test('doctor names each state folder that others can read, and the command that makes it private', async () => {
	const { host, path } = hostWithState();
	for (const name of ['journal', 'pace', 'tokens']) chmodSync(path(name), 0o755);
	const wrong = (await checksOf(host)).filter(({ state }) => state === 'wrong');
	expect(wrong.map(({ about, advice }) => `${about}: ${advice}`).toSorted()).toEqual([
		'Journal folder: chmod 700 ~/state/journal',
		'Pace folder: chmod 700 ~/state/pace',
		'Token folder: chmod 700 ~/state/tokens',
	]);
});

test('doctor names a state folder only once if others can write to it', async () => {
	const { host, path } = hostWithState();
	chmodSync(path(), 0o777);
	const wrong = (await checksOf(host)).filter(({ state }) => state === 'wrong');
	expect(wrong).toMatchObject([
		{ about: 'State folder', said: expect.stringContaining('can be written by others') },
	]);
	expect(wrong[0]?.advice).toContain('chmod go-w');
});

test('doctor names files that a newer version wrote, and no others', async () => {
	const { host, path } = hostWithState();
	writeFileSync(path('journal', 'screen-a.json'), '{"version":1,"filter":""}\n');
	writeFileSync(path('journal', 'screen-b.json'), '{"version":2,"filter":""}\n');
	writeFileSync(path('tokens', 'default.json'), '{"version":2}\n');
	writeFileSync(path('journal', 'damaged'), '\u0000');
	const newer = (await checksOf(host)).filter(({ about }) => about === 'File of a newer version');
	expect(newer.map(({ state, said }) => `${state}: ${said}`)).toEqual([
		'unsure: ~/state/journal/screen-b.json was written by a newer version of crowsnest and is left alone',
		'unsure: ~/state/tokens/default.json was written by a newer version of crowsnest and is left alone',
	]);
	expect(newer[0]?.advice).toContain('Update crowsnest');
});
